"use client";
import { useState } from "react";
import { type Effect, nothingDone, reduce, type Triage, type TriageEvent } from "./machine";
import { useLatest } from "./use-latest";

type Untimed<T> = T extends unknown ? Omit<T, "now"> : never;
type Event<Item, Outcome, Body> = Untimed<TriageEvent<Item, Outcome, Body>>;

/**
 * The machine of a list, on this page's clock. Effects are run at once, before anything of it is shown: whoever asked for
 * a request waits for it.
 * @param run does what an effect says, and answers a request with an event
 */
export function useMachine<Item, Outcome, Body>(
  run: (effect: Effect<Item, Outcome, Body>, happen: (event: Event<Item, Outcome, Body>) => void) => void,
  { oneByOne = false }: { oneByOne?: boolean } = {},
) {
  const [state, show] = useState(() => nothingDone<Item, Outcome, Body>(oneByOne));
  const latest = useLatest({ run });
  const [machine] = useState(() => {
    let now: Triage<Item, Outcome, Body> = state;
    const happen = (event: Event<Item, Outcome, Body>) => {
      const timed = { ...event, now: performance.now() } as TriageEvent<Item, Outcome, Body>;
      const { state: next, effects } = reduce(now, timed);
      now = next;
      show(next);
      for (const effect of effects) latest.run(effect, happen);
    };
    return { happen, now: () => now };
  });
  return { state, ...machine };
}
