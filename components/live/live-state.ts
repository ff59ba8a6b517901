"use client";
import { sharedValue } from "@/components/ui/shared-value";

type Connection = "live" | "reconnecting" | "offline";

/** Whether news arrive by themselves; undefined until that is known. */
const connection = sharedValue<Connection | undefined>();
export const useConnection = (): Connection | undefined => connection.useNow(undefined);
export const { now: connectionNow, set: setConnection } = connection;

const listeners = new Set<() => void>();

/** Ask for the page to be read again soon; askings close together become one. */
export function refreshPage(): void {
  for (const listener of listeners) listener();
}

export function onRefresh(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let reading = false;
const afterwards = new Set<() => void>();

/** Whether the page is being read again; told by who reads it. */
export function setReading(now: boolean): void {
  reading = now;
  if (now) return;
  const waiting = [...afterwards];
  afterwards.clear();
  for (const work of waiting) work();
}

/** Do this once the page is not being read. (Where its address changes meanwhile, Next loads all of it anew.) */
export function onceRead(work: () => void): void {
  if (reading) afterwards.add(work);
  else work();
}

/**
 * Whether the service answers. To be asked before reading a page again without having just heard from it: where the reading
 * fails, Next leaves the page for the browser's own error.
 */
export const isReachable = (): Promise<boolean> =>
  fetch("/api/health", { cache: "no-store", signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
