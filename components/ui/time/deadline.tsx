"use client";
import { useEffect, useState } from "react";
import { useHydrated } from "@/components/ui/use-hydrated";
import { useFormats } from "./formats";
import { momentHere, relativeTime } from "./relative-time";

const minute = 60_000;

/**
 * The time left to answer, updated continuously: "in 12 min", then in seconds at the end. Not a
 * live region, so it never interrupts screen readers.
 */
export function Deadline({ at, className = "" }: { at: number; className?: string }) {
  const alive = useHydrated();
  const formats = useFormats();
  const left = useLeft(at);
  return (
    // Remounted after hydration, because the server's text is older and in another time zone.
    <time
      key={alive ? "browser" : "server"}
      dateTime={new Date(at).toISOString()}
      title={momentHere(at, formats)}
      suppressHydrationWarning
      className={`whitespace-nowrap tabular-nums ${toneOf(left)} ${className}`}
    >
      {inWords(at, left)}
    </time>
  );
}

/** Weight also shows urgency, so it does not depend on color alone. */
function toneOf(left: number): string {
  if (left <= 10 * minute) return "font-semibold text-danger";
  return left <= 60 * minute ? "font-medium text-warn" : "";
}

/**
 * A remaining time: "in 40 s", "in 12 min", "in 3 h". The deadline may have passed by this clock
 * and still be open by the server's.
 */
function inWords(deadline: number, left: number): string {
  if (left <= 0) return "now";
  return left < minute ? `in ${Math.ceil(left / 1000)} s` : relativeTime(deadline, deadline - left);
}

/** The milliseconds left, updated continuously. */
export function useLeft(deadline: number): number {
  const [left, setLeft] = useState(() => deadline - Date.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const now = deadline - Date.now();
      setLeft(now);
      if (now <= 0) return;
      const next = now <= minute ? now % 1000 || 1000 : Math.min(now - minute, now % minute || minute);
      timer = setTimeout(tick, next + 5);
    };
    tick();
    return () => clearTimeout(timer);
  }, [deadline]);
  return left;
}
