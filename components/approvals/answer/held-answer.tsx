"use client";
import { useState } from "react";
import { Act } from "@/components/acts/act";
import { ActForm } from "@/components/acts/act-form";
import { AnswerText } from "@/components/approvals/decision/answer-text";
import type { InboxApproval } from "@/components/approvals/types";
import { lookAgain } from "@/components/live/live-state";
import { keepsFocus } from "@/components/triage/focus";
import { undoKey } from "@/components/triage/list-keys";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/time/countdown";
import type { Resolution } from "@/lib/approvals/schema";

type HeldAnswerProps = {
  approval: InboxApproval;
  resolution: Resolution;
  /** `performance.now()` when it counts. */
  until: number;
  onUndo: () => void;
  onSendNow: () => void;
};

/** An answer that does not count yet: what it is, for how long it can be taken back, and both ways out. */
export function HeldAnswer({ approval, resolution, until, onUndo, onSendNow }: HeldAnswerProps) {
  const [ended, end] = useState<number>();
  const over = ended === until || until <= performance.now();
  const fields = { ids: approval._id };
  return (
    <section
      key={approval._id}
      aria-label="Answer"
      className="grid gap-3 rounded-xl border border-accent bg-accent-soft px-4 py-4 sm:px-5"
    >
      <p className="text-muted">
        {over ? (
          "Being sent…"
        ) : (
          <>
            Sent to <bdi>{approval.app.name}</bdi> in{" "}
            <Countdown
              until={until}
              onEnd={() => {
                end(until);
                setTimeout(lookAgain, 400);
              }}
            />
          </>
        )}
      </p>
      <AnswerText approval={approval} resolution={resolution} />
      {over ? null : (
        <div ref={keepsFocus} className="flex flex-wrap gap-2">
          <ActForm act="approval.undo" fields={fields} onSend={onUndo}>
            <Button type="submit" variant="primary" aria-keyshortcuts={undoKey.keys}>
              Undo
            </Button>
          </ActForm>
          <Act of="approval.send-now" with={fields} onSend={onSendNow}>
            Send now
          </Act>
        </div>
      )}
    </section>
  );
}
