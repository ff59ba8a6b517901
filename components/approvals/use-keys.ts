"use client";
import { type KeyBinding, useKeys } from "@/components/keys/keys";

export type KeyActions = {
  /** Go to the row `by` places further. */
  move: (by: 1 | -1) => void;
  /** Answer with the option at this place, from 0. */
  choose: (place: number) => void;
  /** Open the fold of the answer in own words, or of the note. */
  unfold: (key: "o" | "n") => void;
  back: () => void;
};

/** The keys of the inbox. Arrows scroll as ever inside the decision, and move between rows everywhere else. */
export function useInboxKeys(actions: KeyActions) {
  const arrow = (by: 1 | -1) => (event: KeyboardEvent) =>
    event.target instanceof Element && event.target.closest("[data-decision]") ? false : actions.move(by);
  const options = Array.from(
    { length: 9 },
    (_, place): KeyBinding => ({
      keys: String(place + 1),
      ...(place === 0 && { says: "Answer with that option" }),
      run: () => actions.choose(place),
    }),
  );
  useKeys("Approvals", [
    ...options,
    { keys: "j", says: "Next question", run: () => actions.move(1) },
    { keys: "k", says: "Previous question", run: () => actions.move(-1) },
    { keys: "ArrowDown", run: arrow(1) },
    { keys: "ArrowUp", run: arrow(-1) },
    { keys: "o", says: "Answer in your own words", run: () => actions.unfold("o") },
    { keys: "n", says: "Add a note", run: () => actions.unfold("n") },
    { keys: "Escape", run: actions.back },
  ]);
}
