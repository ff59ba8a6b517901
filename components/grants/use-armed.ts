"use client";
import { useEffect, useRef } from "react";

/** How long a page must have been in sight before a decision on it counts, in milliseconds. */
const delay = 500;

/**
 * Whether a decision made now can have been meant: the page has been painted and visible for half a second. A click that was
 * aimed at what lay there before, or made while the page is hidden, decides nothing.
 */
export function useArmed(): () => boolean {
  const seenSince = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const look = () => {
      seenSince.current = Number.POSITIVE_INFINITY;
      if (document.visibilityState !== "visible") return;
      requestAnimationFrame(() => {
        seenSince.current = performance.now();
      });
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return () => document.visibilityState === "visible" && performance.now() - seenSince.current >= delay;
}
