"use client";
import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Elements that can take the focus safely: the open question, in the list or on its own page, or
 * the empty list's heading.
 */
const home = "[data-row][aria-current], #question, [data-empty] h2";

/**
 * A `ref` callback for an element that may disappear while it has the focus. When that happens,
 * moves the focus to the first visible `home` element, unless another element has taken the focus.
 * Keyboard users then don't have to start again at the top of the page.
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

/** Returns the first visible element that matches the selector. */
const firstSeen = (which: string) =>
  [...document.querySelectorAll<HTMLElement>(which)].find((it) => it.getClientRects().length > 0);

/**
 * Returns a function that, after the next render, moves the focus to the first visible element that
 * matches a selector.
 */
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
