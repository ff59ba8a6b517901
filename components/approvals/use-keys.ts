"use client";
import { useEffect, useSyncExternalStore } from "react";

export type KeyActions = {
  /** Go to the row `by` places further. */
  move: (by: 1 | -1) => void;
  /** Answer with the option at this place, from 0. */
  choose: (place: number) => void;
  /** Open the fold of the answer in own words, or of the note. */
  unfold: (key: "o" | "n") => void;
  back: () => void;
  help: () => void;
};

/**
 * Single keys, for those who want them: never while typing, in a dialog, with a modifier, or by holding a key down. Arrows
 * scroll as ever inside the decision, and move between rows everywhere else.
 */
export function useKeys(actions: KeyActions) {
  const on = useSingleKeys();
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const { key, target } = event;
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      if (document.querySelector("dialog[open]") || !(target instanceof Element)) return;
      if (key === "Escape") return actions.back();
      if (target.closest("input, textarea, select, [contenteditable]")) return;
      const inDecision = target.closest("[data-decision]") !== null;
      const act =
        (key === "ArrowDown" && !inDecision && (() => actions.move(1))) ||
        (key === "ArrowUp" && !inDecision && (() => actions.move(-1))) ||
        (on && singleKey(key, actions));
      if (!act) return;
      event.preventDefault();
      act();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}

function singleKey(key: string, actions: KeyActions): (() => void) | undefined {
  if (/^[1-9]$/.test(key)) return () => actions.choose(Number(key) - 1);
  if (key === "j") return () => actions.move(1);
  if (key === "k") return () => actions.move(-1);
  if (key === "o" || key === "n") return () => actions.unfold(key);
  if (key === "?") return actions.help;
  return undefined;
}

const setting = "countersign.single-keys";
const watchers = new Set<() => void>();

/** Whether single keys act: they do until the owner switches them off in this browser. */
export const useSingleKeys = (): boolean => useSyncExternalStore(watch, read, () => true);

export function setSingleKeys(on: boolean): void {
  localStorage.setItem(setting, on ? "on" : "off");
  for (const watcher of watchers) watcher();
}

const read = () => localStorage.getItem(setting) !== "off";

function watch(watcher: () => void) {
  watchers.add(watcher);
  window.addEventListener("storage", watcher);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener("storage", watcher);
  };
}
