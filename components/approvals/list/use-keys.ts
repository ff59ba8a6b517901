"use client";
import type { Fold } from "@/components/approvals/answer/in-decision";
import { type KeyBinding, useKeys } from "@/components/keys/keys";

export type KeyActions = {
  /** Go to the row `by` places further; `selects` both it and the one left. */
  move: (by: 1 | -1, selects?: boolean) => void;
  /** Answer with the option at this place, from 0. */
  choose: (place: number) => void;
  /** Choose the option at this place and write a note before it is sent. */
  chooseWithNote: (place: number) => void;
  /** Send what was chosen. @returns false where nothing was */
  confirm: () => unknown;
  unfold: (key: Fold) => void;
  findOption: () => void;
  toOptions: () => void;
  select: () => void;
  snooze: () => void;
  mute: () => void;
  undo: () => void;
  explain: () => void;
  mark: (seen: boolean) => void;
  back: () => void;
  /** Whether a dialog was asked for that is not there yet: a key meant for it must not answer the question under it. */
  isAsking: () => boolean;
};

/** The keys of the inbox. Arrows scroll as ever inside the decision, and move between rows everywhere else. */
export function useInboxKeys(actions: KeyActions) {
  const inDecision = (event: KeyboardEvent) =>
    event.target instanceof Element && event.target.closest("[data-decision]") !== null;
  // A wide table or a line of code is read with the arrows too.
  const inScrolled = (event: KeyboardEvent) =>
    event.target instanceof Element && event.target.closest("pre[tabindex], [role=group][tabindex]") !== null;
  const arrow = (by: 1 | -1) => (event: KeyboardEvent) => (inDecision(event) ? false : actions.move(by));
  const nine = Array.from({ length: 9 }, (_, place) => place);
  const bindings: KeyBinding[] = [
    // Read by the help as one line for all nine.
    ...nine.map(
      (place): KeyBinding => ({
        keys: String(place + 1),
        ...(place === 0 && { says: "Answer with that option" }),
        run: () => actions.choose(place),
      }),
    ),
    ...nine.map(
      (place): KeyBinding => ({
        keys: `Shift+${place + 1}`,
        ...(place === 0 && { says: "Choose that option and add a note first" }),
        run: () => actions.chooseWithNote(place),
      }),
    ),
    { keys: "Enter", run: actions.confirm },
    { keys: "o", says: "Answer in your own words", run: () => actions.unfold("o") },
    { keys: "n", says: "Add a note", run: () => actions.unfold("n") },
    { keys: "q", says: "Ask something before you answer", run: () => actions.unfold("q") },
    { keys: "f", says: "Find an option by its words, where there are many", run: actions.findOption },
    { keys: "j", says: "Next question", run: () => actions.move(1) },
    { keys: "k", says: "Previous question", run: () => actions.move(-1) },
    { keys: "ArrowDown", run: arrow(1) },
    { keys: "ArrowUp", run: arrow(-1) },
    { keys: "ArrowRight", run: (event) => (inDecision(event) ? false : actions.toOptions()) },
    { keys: "ArrowLeft", run: (event) => (inDecision(event) && !inScrolled(event) ? actions.back() : false) },
    { keys: "u", says: "Undo what you did last", run: actions.undo },
    { keys: "Mod+z", run: actions.undo },
    { keys: "h", says: "Snooze: put it off for a while", run: actions.snooze },
    { keys: "m", says: "Mute the app that asks, or hear it again", run: actions.mute },
    { keys: "x", says: "Select the question", run: actions.select },
    { keys: "J", says: "Select on to the next", run: () => actions.move(1, true) },
    { keys: "K", says: "Select on to the previous", run: () => actions.move(-1, true) },
    { keys: "U", says: "Mark as unread", run: () => actions.mark(false) },
    { keys: "I", says: "Mark as read", run: () => actions.mark(true) },
    { keys: "e", says: "Why there is no archive", run: actions.explain },
    { keys: "Escape", run: actions.back },
  ];
  useKeys(
    "Approvals",
    bindings.map(({ run, ...binding }) => ({
      ...binding,
      run: (event: KeyboardEvent) => (actions.isAsking() ? undefined : run(event)),
    })),
  );
}
