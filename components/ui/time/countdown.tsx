"use client";
import { useEffect, useEffectEvent, useState } from "react";

/** Counts down whole seconds until a time by `performance.now()`, then calls `onEnd` once. */
export function Countdown({ until, onEnd }: { until: number; onEnd?: () => void }) {
  const [left, setLeft] = useState(() => until - performance.now());
  const ended = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const now = until - performance.now();
      setLeft(now);
      if (now > 0) timer = setTimeout(tick, now % 1000 || 1000);
      else ended();
    };
    tick();
    return () => clearTimeout(timer);
  }, [until]);
  return (
    <span className="inline-block min-w-[3.25ch] tabular-nums" suppressHydrationWarning>
      {Math.max(0, Math.ceil(left / 1000))} s
    </span>
  );
}
