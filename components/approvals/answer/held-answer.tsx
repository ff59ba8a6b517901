"use client";
import { useState } from "react";
import { ActionButton } from "@/components/actions/action-button";
import { ActionForm } from "@/components/actions/action-form";
import { AnswerCard } from "@/components/approvals/decision/resolution-card";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { refreshPage } from "@/components/live/connection-and-refresh";
import { shouldKeepFocus } from "@/components/triage/fallback-focus";
import { undoKey } from "@/components/triage/list-shortcuts";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/time/countdown";
import type { Resolution } from "@/lib/approvals/schema";

type HeldAnswerProps = {
  approval: InboxApproval;
  resolution: Resolution;
  /** When the answer is sent, as a `performance.now()` value. */
  until: number;
};

/**
 * A held answer: its text, the time left to undo it, and buttons to undo it or send it immediately.
 */
export function HeldAnswer({ approval, resolution, until }: HeldAnswerProps) {
  const [ended, end] = useState<number>();
  const over = ended === until || until <= performance.now();
  const fields = { ids: approval._id };
  return (
    <AnswerCard
      approval={approval}
      resolution={resolution}
      head={
        over ? (
          "Sending…"
        ) : (
          <>
            Sends in{" "}
            <Countdown
              until={until}
              onEnd={() => {
                end(until);
                setTimeout(refreshPage, 400);
              }}
            />
          </>
        )
      }
    >
      {over ? null : (
        <div ref={shouldKeepFocus} className="mt-2 flex flex-wrap gap-2">
          <ActionForm act="approval.undo" fields={fields}>
            <Button type="submit" size="small" aria-keyshortcuts={undoKey.keys}>
              Undo
            </Button>
          </ActionForm>
          <ActionButton of="approval.send-now" with={fields} size="small" variant="quiet">
            Send now
          </ActionButton>
        </div>
      )}
    </AnswerCard>
  );
}
