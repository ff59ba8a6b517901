import type { KeyBinding } from "@/components/keys/keys";

/** The key that takes back what was done last, wherever a list is gone through: for what binds it, and for the buttons that say it. */
export const undoKey = { keys: "u", says: "Undo what you did last" } as const;

type ListKeys = {
  /** What the rows are, in the words of the help. */
  noun: string;
  /** Go to the row `by` places further; `selects` both it and the one left. */
  move: (by: 1 | -1, selects?: boolean) => void;
  /** Whether a press belongs to what is being read, which arrows scroll. */
  isReading: (event: KeyboardEvent) => boolean;
  select: () => void;
  mark: (read: boolean) => void;
  undo: () => void;
  /** @returns false where there is nothing to leave */
  leave: () => unknown;
};

/** The keys by which any list is gone through. */
export function listKeys({ noun, move, isReading, select, mark, undo, leave }: ListKeys): KeyBinding[] {
  const arrow = (by: 1 | -1) => (event: KeyboardEvent) => (isReading(event) ? false : move(by));
  return [
    { keys: "j", says: `Next ${noun}`, run: () => move(1) },
    { keys: "k", says: `Previous ${noun}`, run: () => move(-1) },
    { keys: "ArrowDown", run: arrow(1) },
    { keys: "ArrowUp", run: arrow(-1) },
    { ...undoKey, run: undo },
    { keys: "Mod+z", run: undo },
    { keys: "x", says: `Select the ${noun}`, run: select },
    { keys: "J", says: "Extend the selection down", run: () => move(1, true) },
    { keys: "K", says: "Extend the selection up", run: () => move(-1, true) },
    { keys: "I", says: "Mark as read", run: () => mark(true) },
    { keys: "U", says: "Mark as unread", run: () => mark(false) },
    { keys: "Escape", run: leave },
  ];
}
