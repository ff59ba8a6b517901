import type { KeyBinding } from "@/components/keyboard/key-bindings";

/** The undo key of every list, for the binding and for the buttons that announce it. */
export const undoKey = { keys: "u", description: "Undo the last action" } as const;

type ListKeys = {
  /** The help's word for a row. */
  noun: string;
  /** Moves by `step` rows. With `selects`, selects both rows. */
  move: (step: 1 | -1, selects?: boolean) => void;
  /** Whether the key press is in a scrolling text, where the arrow keys scroll. */
  isReading: (event: KeyboardEvent) => boolean;
  select: () => void;
  mark: (read: boolean) => void;
  undo: () => void;
  /** @returns false if there is nothing to close */
  leave: () => unknown;
};

/** The shortcuts that every list has. */
export function listKeys({ noun, move, isReading, select, mark, undo, leave }: ListKeys): KeyBinding[] {
  const arrow = (step: 1 | -1) => (event: KeyboardEvent) => (isReading(event) ? false : move(step));
  return [
    { keys: "j", description: `Next ${noun}`, run: () => move(1) },
    { keys: "k", description: `Previous ${noun}`, run: () => move(-1) },
    { keys: "ArrowDown", run: arrow(1) },
    { keys: "ArrowUp", run: arrow(-1) },
    { ...undoKey, run: undo },
    { keys: "Mod+z", run: undo },
    { keys: "x", description: `Select the ${noun}`, run: select },
    { keys: "J", description: "Extend the selection down", run: () => move(1, true) },
    { keys: "K", description: "Extend the selection up", run: () => move(-1, true) },
    { keys: "I", description: "Mark as read", run: () => mark(true) },
    { keys: "U", description: "Mark as unread", run: () => mark(false) },
    { keys: "Escape", run: leave },
  ];
}
