"use client";
import { useKeys } from "@/components/keys/keys";
import { undoKey } from "@/components/triage/undo-key";
import type { TriageName } from "./types";

type Actions = {
  move: (by: 1 | -1, how?: { selecting?: boolean }) => void;
  act: (name: TriageName) => void;
  undo: () => void;
  select: () => void;
  /** @returns false where nothing was selected */
  clear: () => unknown;
};

/** The keys of the feed that are no control's own. Arrows scroll as ever inside a text, and move between rows everywhere else. */
export function useFeedKeys({ move, act, undo, select, clear }: Actions) {
  const arrow = (by: 1 | -1) => (event: KeyboardEvent) =>
    event.target instanceof Element && event.target.closest("[data-text], [data-menu]") ? false : move(by);
  useKeys("Notifications", [
    { keys: "j", says: "Next notification", run: () => move(1) },
    { keys: "k", says: "Previous notification", run: () => move(-1) },
    { keys: "ArrowDown", run: arrow(1) },
    { keys: "ArrowUp", run: arrow(-1) },
    { keys: "I", says: "Mark read", run: () => act("read") },
    { keys: "U", says: "Mark unread", run: () => act("unread") },
    { ...undoKey, run: undo },
    { keys: "Mod+z", run: undo },
    { keys: "x", says: "Select", run: select },
    { keys: "J", says: "Select on to the next", run: () => move(1, { selecting: true }) },
    { keys: "K", says: "Select on to the previous", run: () => move(-1, { selecting: true }) },
    { keys: "Escape", run: clear },
  ]);
}
