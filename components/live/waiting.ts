"use client";
import { useSyncExternalStore } from "react";

/**
 * How many questions wait, at most 100: the one number behind the title, the favicon, the badge of the installed app and the
 * rail, so that they cannot drift apart.
 */
let waiting: number | undefined;
const watchers = new Set<() => void>();

/** @param rendered what the server counted when it rendered the page, which holds until something newer is known */
export const useWaiting = (rendered: number): number =>
  useSyncExternalStore(
    watch,
    () => waiting ?? rendered,
    () => rendered,
  );

export function setWaiting(count: number): void {
  if (count === waiting) return;
  waiting = count;
  for (const watcher of watchers) watcher();
}

/** As every badge shows it. */
export const shownCount = (count: number): string => (count > 99 ? "99+" : String(count));

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
