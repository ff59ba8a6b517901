"use client";
import { useEffect, useRef } from "react";
import type { HoldKey } from "./hold";

/**
 * Has the options of a form answer when they are held. What does that is fetched when it is wanted; until then, and where it
 * cannot be, a press chooses as it does anyway.
 * @param of what was shown: nothing goes on being held when that changes. Undefined where nothing is to be held
 * @returns what an option's key does
 */
export function useHold(form: React.RefObject<HTMLFormElement | null>, of: string | undefined): HoldKey {
  const key = useRef<HoldKey>(undefined);
  useEffect(() => {
    if (of === undefined) return;
    const over = new AbortController();
    import("./hold").then(
      ({ holdToSend }) => {
        if (form.current && !over.signal.aborted) key.current = holdToSend(form.current, over.signal);
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
