"use client";
import { useEffect, useEffectEvent, useState } from "react";

/** Whole seconds until a moment of `performance.now()`, counted down. `onEnd` is called once they are over. */
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
    <span className="tabular-nums" suppressHydrationWarning>
      {Math.max(0, Math.ceil(left / 1000))} s
    </span>
  );
}
