"use client";
import { useSyncExternalStore } from "react";

export type Connection = "live" | "reconnecting" | "offline";

let connection: Connection = "reconnecting";
const watchers = new Set<() => void>();
const lookers = new Set<() => void>();

/** Whether news arrive by themselves. */
export const useConnection = (): Connection =>
  useSyncExternalStore(
    watch,
    () => connection,
    () => "reconnecting",
  );

export const connectionNow = (): Connection => connection;

export function setConnection(now: Connection): void {
  if (connection === now) return;
  connection = now;
  for (const watcher of watchers) watcher();
}

/** Ask for the page to be read again soon; askings close together become one. */
export function lookAgain(): void {
  for (const looker of lookers) looker();
}

export function onLookAgain(looker: () => void): () => void {
  lookers.add(looker);
  return () => lookers.delete(looker);
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Whether the service answers. To be asked before reading a page again without having just heard from it: where the reading
 * fails, Next leaves the page for the browser's own error.
 */
export const isReachable = (): Promise<boolean> =>
  fetch("/api/health", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
