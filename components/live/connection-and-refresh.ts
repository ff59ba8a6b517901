"use client";
import { sharedValue } from "@/components/ui/shared-value";

type Connection = "live" | "reconnecting" | "offline";

/** The state of the live stream. Undefined until known. */
const connection = sharedValue<Connection | undefined>();
export const useConnection = (): Connection | undefined => connection.useNow(undefined);
export const { now: connectionNow, set: setConnection } = connection;

const listeners = new Set<() => void>();

/** Requests a refresh soon. Requests in quick succession cause one refresh. */
export function refreshPage(): void {
  for (const listener of listeners) listener();
}

export function onRefresh(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let reading = false;
let beganAt = Number.NEGATIVE_INFINITY;
const afterwards = new Set<() => void>();

/**
 * Records whether a refresh is in progress. At the end of a refresh, runs the work that waited for
 * it.
 */
export function setReading(now: boolean): void {
  reading = now;
  if (now) {
    beganAt = performance.now();
    return;
  }
  const waiting = [...afterwards];
  afterwards.clear();
  for (const work of waiting) work();
}

/** When the latest refresh began, by `performance.now()`. */
export const readingBeganAt = (): number => beganAt;

/**
 * Runs `work` once no refresh is in progress. (If the URL changes during a refresh, Next.js reloads
 * the whole page.)
 */
export function onceRead(work: () => void): void {
  if (reading) afterwards.add(work);
  else work();
}

/**
 * Whether the server responds. Check this before a refresh that no server event caused, because
 * after a failed refresh Next.js shows the browser's error page.
 */
export const isReachable = (): Promise<boolean> =>
  fetch("/api/health", { cache: "no-store", signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
