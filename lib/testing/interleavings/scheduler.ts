import { AsyncLocalStorage } from "node:async_hooks";
import { holdAtPoints, type PausePoint } from "@/lib/pause-points";
import { seededRandom } from "./seeded-random";

/*
 * Runs actors that do concurrent work, one step at a time, in an order that a seed decides. An
 * actor's step ends at the next pause point (lib/pause-points.ts). An actor can also wait for
 * another one, such as for a row lock. Then, after `stallMs`, another actor takes a step.
 */

/** How long an actor may take for a step before another actor goes on, in milliseconds. */
const stallMs = 40;
/** How long an actor that waited may take until its next step ends, in milliseconds. */
const unblockMs = 5;

export type Actors = Record<string, () => Promise<unknown>>;

/** The result of a run: each actor's outcome, and its steps in their order. */
export type Interleaved<Of extends Actors> = {
  outcomes: { [Name in keyof Of]: PromiseSettledResult<Awaited<ReturnType<Of[Name]>>> };
  steps: string[];
};

type Held = { actor: string; point: string; release: () => void; crash: () => void };

/** The error with which an actor's work ends where its process crashes. */
export class Crashed extends Error {}
/** How often an actor that can crash does so instead of its next step. */
const crashRate = 0.3;

class Run {
  readonly steps: string[] = [];
  private readonly held = new Map<string, Held>();
  private readonly running = new Set<string>();
  /** Running actors that wait for another actor. */
  private readonly blocked = new Set<string>();
  private stir = () => {};

  /** @param crashing the actors that can crash at a pause point */
  constructor(private readonly crashing: readonly string[]) {}

  /**
   * Holds an actor. Does not hold work that the actor no longer waits for, such as the next batch,
   * or a second step that the actor takes at the same time.
   */
  hold(actor: string, point: string): Promise<void> | undefined {
    if (!this.running.has(actor)) return undefined;
    return new Promise((release, reject) => {
      const crash = () => reject(new Crashed(`${actor} crashed: ${point}`));
      this.held.set(actor, { actor, point, release, crash });
      this.leave(actor);
    });
  }

  begin = (actor: string): void => void this.running.add(actor);

  /** Notes that an actor is held or has ended. */
  leave(actor: string): void {
    this.running.delete(actor);
    this.blocked.delete(actor);
    this.stir();
  }

  /** Lets actors take steps until all have ended. */
  async drive(random: () => number): Promise<void> {
    for (;;) {
      await this.settle();
      // Actors arrive in an order that depends on the machine, so the names decide.
      const held = [...this.held.values()].sort((a, b) => (a.actor < b.actor ? -1 : 1));
      const next = held[Math.floor(random() * held.length)];
      if (next) {
        const crashes = this.crashing.includes(next.actor) && random() < crashRate;
        this.steps.push(`${next.actor}: ${next.point}${crashes ? " (crash)" : ""}`);
        this.held.delete(next.actor);
        this.begin(next.actor);
        if (crashes) next.crash();
        else next.release();
      } else if (this.running.size === 0) return;
    }
  }

  /** Waits until each running actor is held, has ended, or waits for another actor. */
  private async settle(): Promise<void> {
    const moves = () => this.running.size > this.blocked.size;
    while (moves()) if (!(await this.arrival(stallMs))) for (const actor of this.running) this.blocked.add(actor);
    // The last step may have ended what they wait for.
    while (this.blocked.size > 0 && (await this.arrival(this.held.size > 0 ? unblockMs : stallMs)));
  }

  /** Resolves to whether an actor was held or ended within this time. */
  private arrival(withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (arrived: boolean) => {
        clearTimeout(timer);
        this.stir = () => {};
        resolve(arrived);
      };
      const timer = setTimeout(end, withinMs, false);
      this.stir = () => end(true);
    });
  }
}

const current = new AsyncLocalStorage<{ run: Run; actor: string }>();

/** Holds the actors of runs at pause points. Call the returned function after the last run. */
export function holdActors(): () => void {
  holdAtPoints((point: PausePoint) => {
    const at = current.getStore();
    return at?.run.hold(at.actor, point);
  });
  return () => holdAtPoints(undefined);
}

/**
 * Runs actors in the order that a seed decides.
 * @param crashing the actors whose process can crash at a pause point, which ends their work
 */
export async function interleave<Of extends Actors>(
  seed: number,
  actors: Of,
  crashing: readonly (keyof Of & string)[] = [],
): Promise<Interleaved<Of>> {
  const run = new Run(crashing);
  const names = Object.keys(actors).sort();
  const running = names.map(async (actor) => {
    run.begin(actor);
    const work = async () => {
      await run.hold(actor, "begin");
      return (actors[actor] as () => Promise<unknown>)();
    };
    const [outcome] = await Promise.allSettled([current.run({ run, actor }, work)]);
    run.leave(actor);
    return [actor, outcome] as const;
  });
  await run.drive(seededRandom(seed));
  const outcomes = Object.fromEntries(await Promise.all(running)) as Interleaved<Of>["outcomes"];
  return { outcomes, steps: run.steps };
}
