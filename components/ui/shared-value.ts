"use client";
import { useSyncExternalStore } from "react";

/** Creates a value that a page's components share while the page is open. */
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
    /** @param rendered the server-rendered value, used until a newer one is known */
    useNow: (rendered: T): T =>
      useSyncExternalStore(
        watch,
        () => now ?? rendered,
        () => rendered,
      ),
  };
}
