import { describe, expect, test } from "vitest";
import { configure } from "../change-settings";
import { type Actors, holdActors, type Interleaved, interleave } from "./scheduler";

/** Concurrent work on the state that `prepare` creates, and what must be true afterwards. */
export type Scenario<State, Of extends Actors> = {
  title: string;
  /** Sets what all runs need, such as settings. */
  begin?(): void;
  /** @param lane the number of the lane, from 0; only one run at a time has the same */
  prepare(lane: number): Promise<State>;
  actors(state: State): Of;
  /** The actors whose process can crash. */
  crashing?: readonly (keyof Of & string)[];
  /** Asserts what must be true when all actors have ended. */
  check(state: State, outcomes: Interleaved<Of>["outcomes"]): Promise<void>;
};

/** How many seeds a scenario runs with, and how many runs take place at the same time. */
const seeds = Number(process.env.INTERLEAVING_SEEDS ?? 200);
export const lanes = 8;
/** A seed to repeat, from the message of a failure. */
const only = process.env.INTERLEAVING_SEED;

/**
 * Runs a scenario with one seed.
 * @throws {Error} that names the seed and the actors' steps, if the check fails
 */
async function runSeed<State, Of extends Actors>(scenario: Scenario<State, Of>, seed: number, lane: number) {
  const state = await scenario.prepare(lane);
  const { outcomes, steps } = await interleave(seed, scenario.actors(state), scenario.crashing);
  try {
    await scenario.check(state, outcomes);
  } catch (cause) {
    const how = `INTERLEAVING_SEED=${seed} repeats it. The steps were:\n  ${steps.join("\n  ")}`;
    throw new Error(`${scenario.title}, seed ${seed}: ${(cause as Error).message}\n${how}`, { cause });
  }
  return steps.join("\n");
}

/**
 * Runs a scenario with many seeds. After a failure, it begins no more runs.
 * @returns the number of different orders of steps
 * @throws {Error} the first failure
 */
export async function runSeeds<State, Of extends Actors>(scenario: Scenario<State, Of>, from = 1, count = seeds) {
  // Actors keep their connections while they are held.
  configure({ DATABASE_POOL: "40" });
  scenario.begin?.();
  const release = holdActors();
  const orders = new Set<string>();
  const failures: unknown[] = [];
  let next = from;
  const run = async (lane: number) => {
    while (next < from + count && failures.length === 0)
      await runSeed(scenario, next++, lane).then(
        (order) => orders.add(order),
        (error) => failures.push(error),
      );
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
  release();
  if (failures.length > 0) throw failures[0];
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
