"use client";
import { isInDecision } from "@/components/approvals/answer/in-decision";
import { useKeys } from "@/components/keys/keys";
import { undoKey } from "@/components/triage/undo-key";

export type KeyActions = {
  /** Go to the row `by` places further; `selects` both it and the one left. */
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
  const arrow = (by: 1 | -1) => (event: KeyboardEvent) => (isInDecision(event) ? false : move(by));
  useKeys("Approvals", [
    { keys: "j", says: "Next question", run: () => move(1) },
    { keys: "k", says: "Previous question", run: () => move(-1) },
    { keys: "ArrowDown", run: arrow(1) },
    { keys: "ArrowUp", run: arrow(-1) },
    { keys: "ArrowLeft", run: (event) => (isInDecision(event) && !isInScrolled(event) ? back() : false) },
    { ...undoKey, run: undo },
    { keys: "Mod+z", run: undo },
    { keys: "x", says: "Select the question", run: select },
    { keys: "J", says: "Select on to the next", run: () => move(1, true) },
    { keys: "K", says: "Select on to the previous", run: () => move(-1, true) },
    { keys: "U", says: "Mark as unread", run: () => mark(false) },
    { keys: "I", says: "Mark as read", run: () => mark(true) },
    { keys: "e", says: "Why there is no archive", run: explain },
    { keys: "Escape", run: back },
  ]);
}
