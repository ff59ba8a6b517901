"use client";
import { type RefObject, useEffect, useState } from "react";

/**
 * Hides a toast when its time is over, but not while the pointer or the focus is in it.
 * @returns `over`, whether its time is over, and `until`, when it ends by `performance.now()`
 */
export function useToastTimer(
  box: RefObject<HTMLElement | null>,
  { key, leftMs }: { key: number; leftMs: number },
  onHide: (key: number) => void,
) {
  const [until] = useState(() => performance.now() + leftMs);
  const [over, setOver] = useState(false);
  const [stays, setStays] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), leftMs);
    return () => clearTimeout(timer);
  }, [leftMs]);
  // At the end of the time, the undo button may disappear with the focus. No event reports this.
  useEffect(() => {
    if (over) setStays(box.current?.matches(":hover, :focus-within") ?? false);
  }, [over, box]);
  useEffect(() => {
    if (over && !stays) onHide(key);
  }, [over, stays, key, onHide]);
  const whileUsed = {
    onMouseEnter: () => setStays(true),
    onMouseLeave: () => setStays(false),
    onFocus: () => setStays(true),
    onBlur: () => setStays(false),
  };
  return { over, until, whileUsed };
}
