"use client";
import { useState } from "react";
import { tooLate } from "@/components/approvals/decision/outcome";
import type { InboxApproval, Sent } from "@/components/approvals/types";
import { keepsFocus } from "@/components/triage/keeps-focus";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

type TroublesProps = {
  sent: ReadonlyMap<string, Sent>;
  /** Answered by their apps while the owner's answer was being held, and not seen since. */
  overtaken: InboxApproval[];
  current: InboxApproval | undefined;
  onOpen: (approval: InboxApproval) => void;
  onSeen: (approval: InboxApproval) => void;
};

/** Answers that did not go through, once the owner has moved on from them: what happened, and the way back. */
export function Troubles({ sent, overtaken, current, onOpen, onSeen }: TroublesProps) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const missed = overtaken.flatMap((approval): Sent[] =>
    approval.resolution && !sent.has(approval._id)
      ? [{ approval, at: 0, state: "done", late: true, resolution: approval.resolution }]
      : [],
  );
  const troubles = [...missed, ...sent.values()].filter(
    (it) =>
      (it.state === "failed" || (it.state === "done" && it.late && !seen.has(it.approval._id))) &&
      it.approval._id !== current?._id,
  );
  return troubles.map((it) => (
    <div key={it.approval._id} ref={keepsFocus} className="mx-auto max-w-[46rem] px-4 pt-3 sm:px-6">
      <Notice tone={it.state === "failed" ? "danger" : "warn"}>
        <p className="mb-1 line-clamp-2 font-semibold">
          <bdi>{it.approval.question}</bdi>
        </p>
        <p>
          {it.state === "failed" ? `Not answered. ${it.message}` : ""}
          {it.state === "done" ? tooLate(it.approval, it.resolution) : ""}
        </p>
        <div className="mt-2 flex gap-2">
          {it.state === "failed" ? (
            <Button size="small" onClick={() => onOpen(it.approval)}>
              Open it again
            </Button>
          ) : (
            <Button
              size="small"
              onClick={() => {
                setSeen(new Set(seen).add(it.approval._id));
                onSeen(it.approval);
              }}
            >
              Understood
            </Button>
          )}
        </div>
      </Notice>
    </div>
  ));
}
