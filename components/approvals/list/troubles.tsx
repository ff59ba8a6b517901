"use client";
import { useState } from "react";
import { tooLate } from "@/components/approvals/decision/resolution";
import type { AnswerState, InboxApproval } from "@/components/approvals/types";
import { keepsFocus } from "@/components/triage/focus";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

type TroublesProps = {
  answers: ReadonlyMap<string, AnswerState>;
  /** Answered by their apps while the owner's answer was being held, and not seen since. */
  overtaken: InboxApproval[];
  current: InboxApproval | undefined;
  onOpen: (approval: InboxApproval) => void;
  onSeen: (approval: InboxApproval) => void;
};

/** Answers that did not go through, once the owner has moved on from them: what happened, and the way back. */
export function Troubles({ answers, overtaken, current, onOpen, onSeen }: TroublesProps) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const missed = overtaken.flatMap((item): AnswerState[] =>
    item.resolution && !answers.has(item._id)
      ? [{ item, at: 0, request: 0, phase: "beaten", outcome: item.resolution }]
      : [],
  );
  const troubles = [...missed, ...answers.values()].filter(
    (it) =>
      (it.phase === "failed" || (it.phase === "beaten" && !seen.has(it.item._id))) && it.item._id !== current?._id,
  );
  return troubles.map((it) => (
    <div key={it.item._id} ref={keepsFocus} className="mx-auto max-w-[46rem] px-4 pt-3 sm:px-6">
      <Notice tone={it.phase === "failed" ? "danger" : "warn"}>
        <p className="mb-1 line-clamp-2 font-semibold">
          <bdi>{it.item.question}</bdi>
        </p>
        <p>
          {it.phase === "failed" ? `Not answered. ${it.message}` : ""}
          {it.phase === "beaten" ? tooLate(it.item, it.outcome) : ""}
        </p>
        <div className="mt-2 flex gap-2">
          {it.phase === "failed" ? (
            <Button size="small" onClick={() => onOpen(it.item)}>
              Open it again
            </Button>
          ) : (
            <Button
              size="small"
              onClick={() => {
                setSeen(new Set(seen).add(it.item._id));
                onSeen(it.item);
              }}
            >
              Got it
            </Button>
          )}
        </div>
      </Notice>
    </div>
  ));
}
