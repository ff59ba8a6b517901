"use client";
import { type KeyBinding, useKeys } from "@/components/keys/keys";
import type { FeedNotification, FeedView, TriageName } from "./types";

type Actions = {
  place: FeedView["place"];
  current: FeedNotification | undefined;
  move: (by: 1 | -1, how?: { selecting?: boolean }) => void;
  act: (name: TriageName) => void;
  undo: () => void;
  select: () => void;
  /** @returns false where nothing was selected */
  clear: () => unknown;
};

/** The keys of the feed. Arrows scroll as ever inside a text, and move between rows everywhere else. */
export function useFeedKeys({ place, current, move, act, undo, select, clear }: Actions) {
  const row = () => document.querySelector(`[data-row="${current?.id}"]`)?.closest("li");
  const arrow = (by: 1 | -1) => (event: KeyboardEvent) =>
    event.target instanceof Element && event.target.closest("[data-text], [data-menu]") ? false : move(by);
  const menu = (kind: "snooze" | "mute") => () => {
    const fold = row()?.querySelector<HTMLDetailsElement>(`details[data-menu=${kind}]`);
    if (!fold) return;
    fold.open = true;
    fold.querySelector("button")?.focus();
  };
  const open = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest("a, button, summary, input")) return false;
    const notification = row()?.querySelector<HTMLDetailsElement>("details[data-told]");
    if (notification) notification.open = !notification.open;
  };
  const bindings: KeyBinding[] = [
    { keys: "j", says: "Next notification", run: () => move(1) },
    { keys: "k", says: "Previous notification", run: () => move(-1) },
    { keys: "ArrowDown", run: arrow(1) },
    { keys: "ArrowUp", run: arrow(-1) },
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
    { keys: "I", says: "Mark read", run: () => act("read") },
    { keys: "U", says: "Mark unread", run: () => act("unread") },
    { keys: "u", says: "Take back the latest", run: undo },
    { keys: "Mod+z", run: undo },
    { keys: "x", says: "Select", run: select },
    { keys: "J", says: "Select on to the next", run: () => move(1, { selecting: true }) },
    { keys: "K", says: "Select on to the previous", run: () => move(-1, { selecting: true }) },
    {
      keys: "/",
      says: "Search",
      run: () => document.querySelector<HTMLInputElement>("main input[type=search]")?.focus(),
    },
    { keys: "Escape", run: clear },
  ];
  useKeys("Notifications", bindings);
}
