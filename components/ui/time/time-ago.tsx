"use client";
import { useSyncExternalStore } from "react";
import { useFormats } from "./date-formats-provider";
import { momentHere, relativeTime } from "./time-text";

type TimeProps = { at: number; className?: string };

type TimeAgoProps = TimeProps & {
  /** Shortens "4 min ago" to "4 min", where only the past is possible. */
  short?: boolean;
};

/**
 * A relative time, updated continuously, with the exact time on hover. `at` is in epoch
 * milliseconds.
 */
export const TimeAgo = (props: TimeAgoProps) => <Current {...props} />;

/**
 * The time and, unless it is today, the day, in the reader's time zone. `at` is in epoch
 * milliseconds.
 */
export const ExactTime = (props: TimeProps) => <Current {...props} exact />;

function Current({ at, className, exact = false, short = false }: TimeAgoProps & { exact?: boolean }) {
  const formats = useFormats();
  const ticks = useSyncExternalStore(everyHalfMinute, currentTick, serverTick);
  const moment = momentHere(at, formats);
  return (
    // Remounted after hydration, because the server's text may be a minute old and in another time
    // zone.
    <time
      key={ticks === 0 ? "server" : "browser"}
      dateTime={new Date(at).toISOString()}
      {...(exact ? {} : { title: moment })}
      suppressHydrationWarning
      {...(className ? { className } : {})}
    >
      {exact ? moment : short ? relativeTime(at, Date.now()).replace(/ ago$/, "") : relativeTime(at, Date.now())}
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
