"use client";
import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Safe targets for the focus: the open question, in the list or on its own page, or the empty
 * list's heading.
 */
const home = "[data-row][aria-current], #question, [data-empty] h2";

/**
 * For the `ref` of an element that may disappear while it has the focus. Unless another element
 * receives the focus, moves it to the open question, so that a keyboard user doesn't start at the
 * top of the page again.
 */
export function shouldKeepFocus(element: HTMLElement | null) {
  return () => {
    if (!element?.contains(document.activeElement)) return;
    // Runs after the element's replacement has rendered.
    setTimeout(() => {
      if (document.activeElement === document.body) firstSeen(home)?.focus();
    });
  };
}

/** The first visible element that matches. */
const firstSeen = (which: string) =>
  [...document.querySelectorAll<HTMLElement>(which)].find((it) => it.getClientRects().length > 0);

/** Moves the focus to the first visible element that matches, after the next render. */
export function useFocus(): (selector: string) => void {
  const wanted = useRef<string>(undefined);
  const [, again] = useState(0);
  useEffect(() => {
    if (!wanted.current) return;
    const seen = firstSeen(wanted.current);
    wanted.current = undefined;
    seen?.focus();
    seen?.scrollIntoView({ block: "nearest" });
  });
  return useCallback((selector: string) => {
    wanted.current = selector;
    again((count) => count + 1);
  }, []);
}
