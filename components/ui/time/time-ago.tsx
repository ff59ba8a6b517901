"use client";
import { useSyncExternalStore } from "react";
import { useFormats } from "./formats";
import { absoluteTime, relativeTime } from "./relative-time";

type TimeAgoProps = {
  /** In epoch milliseconds. */
  at: number;
  /** Writes "4 min" for "4 min ago", where only the past can be meant. */
  short?: boolean;
  className?: string;
};

/** A relative time, kept current, with the exact time on hover. */
export function TimeAgo({ at, short = false, className }: TimeAgoProps) {
  const formats = useFormats();
  const ticks = useSyncExternalStore(everyHalfMinute, currentTick, serverTick);
  return (
    // Remounted after hydration, because the server's text may be a minute old and in another time
    // zone.
    <time
      key={ticks === 0 ? "server" : "browser"}
      dateTime={new Date(at).toISOString()}
      title={absoluteTime(at, formats)}
      suppressHydrationWarning
      {...(className ? { className } : {})}
    >
      {short ? relativeTime(at, Date.now(), formats).replace(/ ago$/, "") : relativeTime(at, Date.now(), formats)}
    </time>
  );
}

let tick = 1;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
const currentTick = () => tick;
const serverTick = () => 0;

/** A single timer updates all times on a page. */
function everyHalfMinute(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    tick++;
    for (const each of listeners) each();
  }, 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
