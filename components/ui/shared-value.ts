"use client";
import { useSyncExternalStore } from "react";

/** A value that the page's components share, for as long as the page is open. */
export function sharedValue<T>(now?: T) {
  const watchers = new Set<() => void>();
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  return {
    now: () => now,
    set(next: T) {
      if (next === now) return;
      now = next;
      for (const watcher of watchers) watcher();
    },
    /** @param rendered what the page was rendered with, which holds until something newer is known */
    useNow: (rendered: T): T =>
      useSyncExternalStore(
        watch,
        () => now ?? rendered,
        () => rendered,
      ),
  };
}
