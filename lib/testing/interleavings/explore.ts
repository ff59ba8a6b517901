import { describe, expect, test } from "vitest";
import { type Actors, holdActors, type Interleaved, interleave } from "./scheduler";

/** Concurrent work on the state that `prepare` creates, and what must be true afterwards. */
export type Scenario<State, Of extends Actors> = {
  title: string;
  /** Sets what all runs need, such as settings. */
  begin?(): void;
  prepare(): Promise<State>;
  actors(state: State): Of;
  /** Asserts what must be true when all actors have ended. */
  check(state: State, outcomes: Interleaved<Of>["outcomes"]): Promise<void>;
};

/** How many seeds a scenario runs with, and how many runs take place at the same time. */
const seeds = Number(process.env.INTERLEAVING_SEEDS ?? 200);
const lanes = 6;
/** A seed to repeat, from the message of a failure. */
const only = process.env.INTERLEAVING_SEED;

/**
 * Runs a scenario with one seed.
 * @throws {Error} that names the seed and the actors' steps, if the check fails
 */
export async function runSeed<State, Of extends Actors>(scenario: Scenario<State, Of>, seed: number): Promise<string> {
  const state = await scenario.prepare();
  const { outcomes, steps } = await interleave(seed, scenario.actors(state));
  try {
    await scenario.check(state, outcomes);
  } catch (cause) {
    const how = `INTERLEAVING_SEED=${seed} repeats it. The steps were:\n  ${steps.join("\n  ")}`;
    throw new Error(`${scenario.title}, seed ${seed}: ${(cause as Error).message}\n${how}`, { cause });
  }
  return steps.join("\n");
}

/** Runs a scenario with many seeds, and returns the number of different orders of steps. */
export async function runSeeds<State, Of extends Actors>(scenario: Scenario<State, Of>, from = 1, count = seeds) {
  scenario.begin?.();
  const release = holdActors();
  const orders = new Set<string>();
  let next = from;
  const lane = async () => {
    while (next < from + count) orders.add(await runSeed(scenario, next++));
  };
  await Promise.all(Array.from({ length: lanes }, lane)).finally(release);
  return orders.size;
}

/** Declares a test that runs a scenario with every seed, or with the one to repeat. */
export function explore<State, Of extends Actors>(scenario: Scenario<State, Of>): void {
  describe("interleavings", () => {
    test(scenario.title, async () => {
      const orders = only === undefined ? await runSeeds(scenario) : await runSeeds(scenario, Number(only), 1);
      // Otherwise, the scenario tries the same order again and again.
      if (only === undefined) expect(orders).toBeGreaterThan(10);
    });
  });
}
