"use client";
import { useEffect, useRef } from "react";
import type { PressKey } from "./press-and-hold";

/**
 * Lets the options of a form answer when held. The code is loaded on demand; until then, or if
 * it fails to load, a press chooses as usual.
 * @param of the content hash of the displayed question: a change cancels the hold. Undefined to
 * turn it off
 * @returns the handler of an option's key
 */
export function usePressAndHold(form: React.RefObject<HTMLFormElement | null>, of: string | undefined): PressKey {
  const key = useRef<PressKey>(undefined);
  useEffect(() => {
    if (of === undefined) return;
    const over = new AbortController();
    import("./press-and-hold").then(
      ({ pressAndHold }) => {
        if (form.current && !over.signal.aborted) key.current = pressAndHold(form.current, over.signal);
      },
      () => {},
    );
    return () => {
      over.abort();
      key.current = undefined;
    };
  }, [form, of]);
  return (option, event) => (key.current ? key.current(option, event) : option.click());
}
