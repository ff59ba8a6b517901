"use client";
import { useEffect, useState } from "react";

const minute = 60_000;

/** Returns the milliseconds until the deadline, kept up to date. */
export function useTimeLeft(deadline: number): number {
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
