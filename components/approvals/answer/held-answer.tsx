"use client";
import { useState } from "react";
import { ActionButton } from "@/components/actions/action-button";
import { ActionForm } from "@/components/actions/action-form";
import { Panel } from "@/components/approvals/decision/app-content";
import { AnswerText } from "@/components/approvals/decision/resolution";
import type { InboxApproval } from "@/components/approvals/types";
import { refreshPage } from "@/components/live/live-state";
import { shouldKeepFocus } from "@/components/triage/focus";
import { undoKey } from "@/components/triage/list-keys";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/time/countdown";
import type { Resolution } from "@/lib/approvals/schema";

type HeldAnswerProps = {
  approval: InboxApproval;
  resolution: Resolution;
  /** When the answer counts, by `performance.now()`. */
  until: number;
  next: React.ReactNode;
};

/** A held answer: its text, the time left to undo it, and buttons to undo it or send it now. */
export function HeldAnswer({ approval, resolution, until, next }: HeldAnswerProps) {
  const [ended, end] = useState<number>();
  const over = ended === until || until <= performance.now();
  const fields = { ids: approval._id };
  return (
    <Panel of={approval} label="Answer" look="grid gap-3 border-ink bg-fill">
      <p className="text-muted">
        {over ? (
          "Sending…"
        ) : (
          <>
            Sending to <bdi>{approval.app.name}</bdi> in{" "}
            <Countdown
              until={until}
              onEnd={() => {
                end(until);
                setTimeout(refreshPage, 400);
              }}
            />
          </>
        )}
      </p>
      <AnswerText approval={approval} resolution={resolution} />
      {over ? null : (
        <div ref={shouldKeepFocus} className="flex flex-wrap gap-2">
          <ActionForm act="approval.undo" fields={fields}>
            <Button type="submit" variant="primary" aria-keyshortcuts={undoKey.keys}>
              Undo
            </Button>
          </ActionForm>
          <ActionButton of="approval.send-now" with={fields}>
            Send now
          </ActionButton>
        </div>
      )}
      {next}
    </Panel>
  );
}
