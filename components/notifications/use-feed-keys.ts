"use client";
import { useKeys } from "@/components/keys/keys";
import { listKeys } from "@/components/triage/list-keys";
import type { FeedNotification, FeedView, TriageName } from "./types";

type Actions = {
  place: FeedView["place"];
  current: FeedNotification | undefined;
  move: (by: 1 | -1, selects?: boolean) => void;
  act: (name: TriageName) => void;
  undo: () => void;
  select: () => void;
  /** @returns false where nothing was selected */
  clear: () => unknown;
};

/** The keys of the feed. Arrows scroll as ever inside a text, and move between rows everywhere else. */
export function useFeedKeys({ place, current, move, act, undo, select, clear }: Actions) {
  const row = () => document.querySelector(`[data-row="${current?.id}"]`)?.closest("li");
  const isIn = (which: string, { target }: KeyboardEvent) =>
    target instanceof Element && target.closest(which) !== null;
  const menu = (kind: "snooze" | "mute") => () => {
    const fold = row()?.querySelector<HTMLDetailsElement>(`details[data-menu=${kind}]`);
    if (!fold) return;
    fold.open = true;
    fold.querySelector("button")?.focus();
  };
  const open = (event: KeyboardEvent) => {
    if (isIn("a, button, summary, input", event)) return false;
    const fold = row()?.querySelector<HTMLDetailsElement>("details[data-told]");
    if (fold) fold.open = !fold.open;
  };
  useKeys("Notifications", [
    ...listKeys({
      noun: "notification",
      move,
      select,
      undo,
      leave: clear,
      isReading: (event) => isIn("[data-text], [data-menu]", event),
      mark: (read) => act(read ? "read" : "unread"),
    }),
    { keys: "Enter", says: "Open or close it", run: open },
    {
      keys: "o",
      says: "Open its link in a new tab",
      run: () => current?.link && window.open(current.link.url, "_blank", "noopener,noreferrer"),
    },
    place === "done"
      ? { keys: "e", says: "Back to the inbox", run: () => act("back") }
      : { keys: "e", says: "Done, and on to the next", run: () => act("done") },
    { keys: "h", says: "Snooze", run: menu("snooze") },
    { keys: "m", says: "Mute its app or type", run: menu("mute") },
    {
      keys: "/",
      says: "Search",
      run: () => document.querySelector<HTMLInputElement>("main input[type=search]")?.focus(),
    },
  ]);
}
