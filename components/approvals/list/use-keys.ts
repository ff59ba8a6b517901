"use client";
import { isInDecision } from "@/components/approvals/answer/in-decision";
import { useKeys } from "@/components/keys/keys";
import { listKeys } from "@/components/triage/list-keys";

export type KeyActions = {
  move: (by: 1 | -1, selects?: boolean) => void;
  select: () => void;
  undo: () => void;
  explain: () => void;
  mark: (seen: boolean) => void;
  back: () => void;
};

/**
 * The keys of the inbox that are no control's own. Arrows scroll as ever inside the decision, and move between rows everywhere
 * else.
 */
export function useInboxKeys({ move, select, undo, explain, mark, back }: KeyActions) {
  // A wide table or a line of code is read with the arrows too.
  const isInScrolled = (event: KeyboardEvent) =>
    event.target instanceof Element && event.target.closest("pre[tabindex], [role=group][tabindex]") !== null;
  useKeys("Approvals", [
    ...listKeys({ noun: "question", move, isReading: isInDecision, select, mark, undo, leave: back }),
    { keys: "ArrowLeft", run: (event) => (isInDecision(event) && !isInScrolled(event) ? back() : false) },
    { keys: "e", says: "Why there is no archive", run: explain },
  ]);
}
