import { relative } from "node:path";
import { expect, test, vi } from "vitest";
import { env } from "@/lib/config/env";
import { disconnect, openPools } from "@/lib/database/db";
import { guardStatements } from "@/lib/database/shards/shard-map";
import { ShardMessages } from "@/lib/events/shard-messages";
import { configure } from "../change-settings";
import { describeStep, KnownOrders } from "./known-orders";
import { type Actors, holdActors, type Interleaved, interleave } from "./scheduler";

/** Concurrent work on the state that `prepare` creates, and what must be true afterwards. */
export type Scenario<State, Of extends Actors> = {
  title: string;
  /** Sets what all runs need, such as settings. */
  begin?(): void;
  /** The number of variants of the state. Seeds take them in turn. */
  variants?: number;
  /**
   * @param lane the number of the lane, from 0; only one run at a time has the same
   * @param variant the number of the variant, from 0
   */
  prepare(lane: number, variant: number): Promise<State>;
  actors(state: State): Of;
  /** The actors whose process can crash. */
  crashing?: readonly (keyof Of & string)[];
  /**
   * The steps at which only actors that can crash are held: pause points of all actors, or of one,
   * like `app: begin`. What an actor does next neither changes what the others see, nor depends on
   * them. Orders that differ only in such steps would repeat a run.
   */
  passing?: readonly string[];
  /** Whether one run takes place at a time, because the work concerns all owners. */
  alone?: boolean;
  /**
   * Asserts what must be true when all actors have ended.
   * @param steps the steps in their order, as failures print them
   */
  check(state: State, outcomes: Interleaved<Of>["outcomes"], steps: readonly string[]): Promise<void>;
};

/** Returns its argument, whose types TypeScript infers. */
export const scenario = <State, Of extends Actors>(given: Scenario<State, Of>): Scenario<State, Of> => given;

/** The number of runs that take place at the same time. */
export const lanes = 3;
/** How many seeds each scenario runs with. `npm run test:more -- --whole` sets the number. */
const seeds = Number(process.env.INTERLEAVING_SEEDS ?? 1000);
/** A seed to repeat, from the message of a failure. */
const only = process.env.INTERLEAVING_SEED;
/** Seeds run until the last one has ended, however slow the machine is. */
const timeout = 3_600_000;

/** Returns the error for a failed run, which says how to repeat it. */
function failure(seed: number, steps: readonly string[], cause: Error): Error {
  const { testPath = "", currentTestName } = expect.getState();
  const message = [
    `Seed ${seed}: ${cause.message}`,
    "The steps:",
    ...steps.map((step) => `  ${step}`),
    "To repeat:",
    `  INTERLEAVING_SEED=${seed} npx vitest run --config lib/testing/vitest.config.ts --project database \\`,
    `    ${relative(process.cwd(), testPath)} -t "${currentTestName}"`,
  ];
  return new Error(message.join("\n"), { cause });
}

const variantOf = (seed: number, { variants = 1 }: { variants?: number }) => seed % variants;

/** Runs a scenario with one seed. @returns the steps in their order */
async function runSeed<State, Of extends Actors>(scenario: Scenario<State, Of>, seed: number, lane: number) {
  const { crashing, passing } = scenario;
  const state = await scenario.prepare(lane, variantOf(seed, scenario));
  const { outcomes, steps } = await interleave(seed, scenario.actors(state), {
    lane,
    ...(crashing && { crashing }),
    ...(passing && { passing }),
  });
  const described = steps.map(describeStep);
  await scenario.check(state, outcomes, described).catch((error) => {
    throw failure(seed, described, error);
  });
  return steps;
}

/**
 * Opens connections. An actor whose connection opens during its step would seem to wait for another
 * actor.
 */
async function openConnections() {
  for (const { connections } of openPools()) {
    const opened = await Promise.all(Array.from({ length: 14 }, () => connections.connect()));
    for (const client of opened) client.release();
  }
}

/**
 * Runs a scenario with many seeds, except a seed whose order of steps an earlier seed has already
 * run. After a failure, it begins no more runs.
 * @returns the number of different orders of steps
 * @throws {Error} the first failure
 */
export async function runSeeds<State, Of extends Actors>(scenario: Scenario<State, Of>, from = 1, count = seeds) {
  // Actors keep their connections while they are held.
  configure({ DATABASE_POOL: "20" });
  await disconnect();
  await openConnections();
  // The guard reads the stack of each statement that concerns all owners. That takes longer than
  // the statement.
  guardStatements(undefined);
  // Nothing listens to messages between instances, which are a tenth of the statements.
  const send = vi.spyOn(ShardMessages.prototype, "send").mockReturnValue();
  scenario.begin?.();
  const release = holdActors(env().databaseUrl);
  // The first run loads modules, which takes time, so its order may differ from its seed's order.
  await runSeed(scenario, from, 0);
  const orders = new Set<string>();
  const known = Array.from({ length: scenario.variants ?? 1 }, () => new KnownOrders());
  const failures: unknown[] = [];
  let next = from;
  const run = async (lane: number) => {
    while (next < from + count && failures.length === 0) {
      const seed = next++;
      const knownOrders = known[variantOf(seed, scenario)]!;
      if (knownOrders.has(seed)) continue;
      await runSeed(scenario, seed, lane).then(
        (steps) => {
          orders.add(steps.map(describeStep).join("\n"));
          knownOrders.add(steps);
        },
        (error) => failures.push(error),
      );
    }
  };
  await Promise.all(Array.from({ length: scenario.alone ? 1 : lanes }, (_, lane) => run(lane)));
  await release();
  send.mockRestore();
  if (failures.length > 0) throw failures[0];
  return orders.size;
}

/** Declares a test that runs a scenario with every seed, or with the one to repeat. */
export function explore<State, Of extends Actors>(scenario: Scenario<State, Of>): void {
  test(scenario.title, { timeout }, async () => {
    if (only !== undefined) return void (await runSeeds(scenario, Number(only), 1));
    // With fewer orders, a scenario would try the same ones again and again.
    expect(await runSeeds(scenario)).toBeGreaterThan(10);
  });
}
