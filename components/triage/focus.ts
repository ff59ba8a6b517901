"use client";
import { useCallback, useEffect, useRef, useState } from "react";

/** Where the focus is never wrong: on the open question, in the list or where it stands alone, or on why there is none. */
const home = "[data-row][aria-current], #question, [data-empty] h2";

/**
 * For the `ref` of what may go while it has the focus: where nothing else was given it, the open question is. Lost to the
 * page itself, it would have to be brought back from the top by keyboard.
 */
export function shouldKeepFocus(element: HTMLElement | null) {
  return () => {
    if (!element?.contains(document.activeElement)) return;
    // Once what comes in its place is there.
    setTimeout(() => {
      if (document.activeElement === document.body) firstSeen(home)?.focus();
    });
  };
}

/** Of several elements, the first that can be seen. */
const firstSeen = (which: string) =>
  [...document.querySelectorAll<HTMLElement>(which)].find((it) => it.getClientRects().length > 0);

/** Move the focus once the next frame is there. Of several elements, to the first that can be seen. */
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
