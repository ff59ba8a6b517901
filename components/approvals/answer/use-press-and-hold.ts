"use client";
import { useEffect, useRef } from "react";
import type { PressKey } from "./press-and-hold";

/**
 * Has the options of a form answer when they are held. What does that is fetched when it is wanted; until then, and where it
 * cannot be, a press chooses as it does anyway.
 * @param of what was shown: nothing goes on being held when that changes. Undefined where nothing is to be held
 * @returns what an option's key does
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
