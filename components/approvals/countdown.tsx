"use client";
import { useEffect, useEffectEvent, useState } from "react";

/** Whole seconds that are left, counted down. `onEnd` is called once they are over. */
export function Countdown({ leftMs, onEnd }: { leftMs: number; onEnd?: () => void }) {
  const [left, setLeft] = useState(leftMs);
  const ended = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    const end = performance.now() + leftMs;
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const now = Math.max(0, end - performance.now());
      setLeft(now);
      if (now > 0) timer = setTimeout(tick, now % 1000 || 1000);
      else ended();
    };
    tick();
    return () => clearTimeout(timer);
  }, [leftMs]);
  return <span className="tabular-nums">{Math.ceil(left / 1000)} s</span>;
}
