"use client";
import { useEffect, useState } from "react";
import { type Effect, nothingDone, reduce, type Triage, type TriageEvent } from "./machine";
import { useLatest } from "./use-latest";

type Untimed<T> = T extends unknown ? Omit<T, "now"> : never;
type Event<Item, Outcome> = Untimed<TriageEvent<Item, Outcome>>;

/**
 * The machine of a list, on this page's clock. Effects are run at once, before anything of it is shown: whoever asked for
 * a request waits for it.
 * @param run does what an effect says, and answers a request with an event
 */
export function useMachine<Item, Outcome>(
  run: (effect: Effect<Item, Outcome>, happen: (event: Event<Item, Outcome>) => void) => void,
) {
  const [state, show] = useState(() => nothingDone<Item, Outcome>());
  const latest = useLatest({ run });
  const [machine] = useState(() => {
    let now: Triage<Item, Outcome> = state;
    const happen = (event: Event<Item, Outcome>) => {
      const timed = { ...event, now: performance.now() } as TriageEvent<Item, Outcome>;
      const { state: next, effects } = reduce(now, timed);
      now = next;
      show(next);
      for (const effect of effects) latest.run(effect, happen);
    };
    return { happen, now: () => now };
  });
  useEffect(() => {
    const leave = () => machine.happen({ type: "leave" });
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [machine]);
  return { state, ...machine };
}
