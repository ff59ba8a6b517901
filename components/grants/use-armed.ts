"use client";
import { useEffect, useState } from "react";

/** How long a page must have been in sight before a decision on it counts, in milliseconds. */
const delay = 500;

/**
 * Whether a decision made now can have been meant: the page has been painted and visible for half a second. A click that was
 * aimed at what lay there before, or made while the page is hidden, decides nothing. (Before scripts run, the style
 * `arming` sees to the first half second.)
 */
export function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      clearTimeout(timer);
      setArmed(false);
      if (document.visibilityState !== "visible") return;
      requestAnimationFrame(() => {
        timer = setTimeout(() => setArmed(true), delay);
      });
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return armed;
}
