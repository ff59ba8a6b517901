import { AsyncLocalStorage } from "node:async_hooks";
import { holdAtPoints } from "@/lib/pause-points";
import { withRequest } from "@/lib/request-context";
import { busyConnections, findLockWaits, type User, watchConnections } from "./connections";
import { decide, type Step } from "./known-orders";
import { seededRandom } from "./seeded-random";

/*
 * Runs actors that do concurrent work, one step at a time, in an order that a seed decides. An
 * actor's step ends at the next pause point (lib/pause-points.ts). An actor that waits for another
 * one, such as for a row lock, takes no part until the other one's step has ended its wait.
 * PostgreSQL reports waits for locks (./connections.ts), so the order does not depend on the
 * machine's speed.
 *
 * Each actor is one instance of the service: it shares no batch of requests with others.
 */

/** How long to wait for an actor, in milliseconds, before its wait counts as one idle period. */
const periodMs = 4;
/**
 * The number of successive periods in which an actor sends no statement, and waits for none. After
 * that, the actor counts as waiting for another one. Periods take longer on a slow machine, as the
 * actor's work does.
 */
const maxIdlePeriods = 3;
/** After how many periods to ask PostgreSQL for waits, in case a notice was lost. */
const findEvery = 50;
export type Actors = Record<string, () => Promise<unknown>>;

/** The result of a run: each actor's outcome, and all steps in their order. */
export type Interleaved<Of extends Actors> = {
  outcomes: { [Name in keyof Of]: PromiseSettledResult<Awaited<ReturnType<Of[Name]>>> };
  steps: Step[];
};

/** How to run actors. Runs that take place at the same time have different lanes. */
type RunOptions<Of extends Actors> = {
  lane?: number;
  crashing?: readonly (keyof Of & string)[];
  /** See `Scenario` (./explore.ts). */
  passing?: readonly string[];
};

/** The error with which an actor's work ends where its process crashes. */
export class Crashed extends Error {}

class Actor implements User {
  /** Whether the actor takes a step, or waits for another actor. Otherwise, it is held or has ended. */
  isRunning = true;
  /** What continues or crashes the actor, while it is held. */
  held: { point: string; release(): void; crash(): void } | undefined;
  /** The number of periods since the actor's last statement, or since its step began. */
  private idlePeriods = 0;
  private crashed: Crashed | undefined;

  constructor(
    readonly name: string,
    readonly canCrash: boolean,
    private readonly passing: readonly string[],
    private readonly stir: () => void,
  ) {}

  /**
   * Holds the actor. Does not hold work that the actor does not wait for, or a second step that it
   * takes at the same time.
   */
  hold(point: string): Promise<void> | undefined {
    if (this.crashed) throw this.crashed;
    if (!this.isRunning || this.passes(point)) return undefined;
    return new Promise((release, reject) => {
      const crash = () => reject((this.crashed = new Crashed(`${this.name} crashed: ${point}`)));
      this.held = { point, release, crash };
      this.stop();
    });
  }

  private passes(point: string): boolean {
    return !this.canCrash && [point, `${this.name}: ${point}`].some((it) => this.passing.includes(it));
  }

  /** Notes that the actor has sent a statement, or has received its result. */
  noteStatement(): void {
    this.idlePeriods = 0;
  }

  /** Notes that a period has passed. */
  notePeriod(): void {
    this.idlePeriods++;
  }

  noteLockWait(): void {
    this.stir();
  }

  /** Whether the actor waits for another one. */
  isWaiting(): boolean {
    const busy = busyConnections(this);
    return busy.length > 0 ? busy.every(({ waits }) => waits) : this.idlePeriods >= maxIdlePeriods;
  }

  /** Takes the next step, or crashes instead. */
  step(crashes: boolean): void {
    const { release, crash } = this.held!;
    this.held = undefined;
    this.isRunning = true;
    this.noteStatement();
    if (crashes) crash();
    else release();
  }

  /** Ends the actor. Work that it did not wait for continues unheld. */
  end(): void {
    this.held?.release();
    this.held = undefined;
    this.stop();
  }

  private stop(): void {
    this.isRunning = false;
    this.stir();
  }
}

const current = new AsyncLocalStorage<Actor>();

/** Ends a step of the current actor. For a test's own work, which has no pause points. */
export const step = async (name: string): Promise<void> => current.getStore()?.hold(name);

/**
 * Runs actors in the order that a seed decides.
 * @param options.crashing the actors whose process can crash at a pause point, which ends their work
 */
export async function interleave<Of extends Actors>(
  seed: number,
  actors: Of,
  { lane = 0, crashing = [], passing = [] }: RunOptions<Of> = {},
): Promise<Interleaved<Of>> {
  const random = seededRandom(seed);
  let stir = () => {};
  // Sorted by name, so that the order in which they arrive does not matter.
  const all = Object.keys(actors)
    .sort()
    .map((name) => new Actor(name, crashing.includes(name), passing, () => stir()));
  const running = all.map(async (actor) => {
    const work = async () => {
      await actor.hold("begin");
      return (actors[actor.name] as () => Promise<unknown>)();
    };
    const request = { id: "", headers: {}, route: "", timing: { began: 0 }, kind: `${lane} ${actor.name}` };
    const [outcome] = await Promise.allSettled([current.run(actor, () => withRequest(request, work))]);
    actor.end();
    return [actor.name, outcome] as const;
  });

  /** Resolves to whether an actor was held, ended, or began to wait for a lock within this time. */
  const news = (withinMs: number) =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, withinMs, false);
      stir = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  /** Resolves once each running actor waits for one that is held, or none runs. */
  const settle = async () => {
    for (let periods = 1; ; ) {
      const running = all.filter(({ isRunning }) => isRunning);
      if (running.length === 0) return;
      // A step that has just ended may have ended another actor's wait for a lock.
      if (running.every((it) => it.isWaiting())) await findLockWaits(running);
      const isSettled = running.every((it) => it.isRunning && it.isWaiting());
      // If none is held, they wait for something else, such as a timer.
      if (isSettled && all.some(({ held }) => held)) return;
      if (running.some((it) => !it.isRunning) || (await news(periodMs))) continue;
      for (const actor of running) actor.notePeriod();
      if (periods++ % findEvery === 0) await findLockWaits(running);
    }
  };

  const steps: Step[] = [];
  for (;;) {
    await settle();
    const ready = all.filter((it) => it.held);
    if (ready.length > 0) {
      const next = decide(
        random,
        ready.map(({ name, canCrash, held }) => ({ name, canCrash, point: held!.point })),
      );
      steps.push(next);
      ready[next.index]!.step(next.crashes);
    } else if (!all.some(({ isRunning }) => isRunning)) break;
  }
  return { outcomes: Object.fromEntries(await Promise.all(running)) as Interleaved<Of>["outcomes"], steps };
}

/**
 * Lets `interleave` hold actors at pause points, and see which connections they use.
 * @returns a function to call after the last run
 */
export function holdActors(connectionString: string): () => Promise<void> {
  holdAtPoints((point) => current.getStore()?.hold(point));
  const stopWatching = watchConnections(connectionString, () => current.getStore());
  return () => {
    holdAtPoints(undefined);
    return stopWatching();
  };
}
