"use client";
import { useSyncExternalStore } from "react";
import { useFormats } from "./date-formats-provider";
import { momentHere, relativeTime } from "./time-text";

type TimeProps = { at: number; className?: string };

type TimeAgoProps = TimeProps & {
  /** Whether to shorten "4 min ago" to "4 min". Only for times that are always in the past. */
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
  const tick = useSyncExternalStore(onTick, currentTick, serverTick);
  const real = Date.now();
  // A time after the last tick counts as now, because otherwise it would seem to be in the future.
  const now = tick === 0 ? real : at > tick && at <= real ? at : tick;
  const moment = momentHere(at, formats, now);
  const age = relativeTime(at, now);
  return (
    // Remounted after hydration, because the server's text may be a minute old and in another time
    // zone.
    <time
      key={tick === 0 ? "server" : "browser"}
      dateTime={new Date(at).toISOString()}
      {...(exact ? {} : { title: moment })}
      suppressHydrationWarning
      {...(className ? { className } : {})}
    >
      {exact ? moment : short ? age.replace(/ ago$/, "") : age}
    </time>
  );
}

/*
 * The interval, in milliseconds, at which the moment advances to which all times on a page are
 * relative. Equal times therefore read the same, regardless of when each was rendered.
 */
const tickMs = 30_000;
const currentTick = () => Math.floor(Date.now() / tickMs) * tickMs;
const serverTick = () => 0;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function onTick(listener: () => void) {
  listeners.add(listener);
  if (!timer) tell();
  return () => {
    listeners.delete(listener);
  };
}

/** A single timer updates all times on a page. */
function tell() {
  timer = listeners.size > 0 ? setTimeout(tell, tickMs - (Date.now() % tickMs)) : undefined;
  for (const each of listeners) each();
}
