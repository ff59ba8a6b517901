"use client";
import { useEffect, useState } from "react";
import { type Effect, nothingDone, reduce, type Triage, type TriageEvent } from "./triage-state-machine";
import { useLatest } from "./use-latest-callbacks";

type Untimed<T> = T extends unknown ? Omit<T, "now"> : never;
type Event<Item, Outcome> = Untimed<TriageEvent<Item, Outcome>>;

/**
 * Runs a list's state machine. Times are by `performance.now()`. Effects run before rendering, so
 * that requests start at once.
 * @param run performs an effect, and dispatches the event for a request's reply
 */
export function useMachine<Item, Outcome>(
  run: (effect: Effect<Item, Outcome>, dispatch: (event: Event<Item, Outcome>) => void) => void,
) {
  const [state, show] = useState(() => nothingDone<Item, Outcome>());
  const latest = useLatest({ run });
  const [machine] = useState(() => {
    let now: Triage<Item, Outcome> = state;
    let timer: ReturnType<typeof setTimeout>;
    const dispatch = (event: Event<Item, Outcome>) => {
      const at = performance.now();
      const { state: next, effects } = reduce(now, { ...event, now: at } as TriageEvent<Item, Outcome>);
      now = next;
      show(next);
      clearTimeout(timer);
      const leaving = [...next.items.values()].flatMap(({ leaveAt }) => leaveAt ?? []);
      if (leaving.length > 0) timer = setTimeout(() => dispatch({ type: "tick" }), Math.min(...leaving) - at);
      for (const effect of effects) latest.run(effect, dispatch);
    };
    return { dispatch: dispatch, now: () => now };
  });
  useEffect(() => {
    const leave = () => machine.dispatch({ type: "leave" });
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [machine]);
  return { state, ...machine };
}
