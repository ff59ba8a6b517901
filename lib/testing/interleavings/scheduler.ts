import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { holdAtPoints } from "@/lib/pause-points";
import { withRequest } from "@/lib/request-context";
import { seededRandom } from "./seeded-random";

/*
 * Runs actors that do concurrent work, one step at a time, in an order that a seed decides. An
 * actor's step ends at the next pause point (lib/pause-points.ts). An actor that waits for another
 * one, such as for a row lock, takes no part until the other one's step has ended its wait.
 * PostgreSQL knows who waits for a lock, so the order does not depend on the machine's speed.
 *
 * Each actor is one instance of the service: it shares no batch of requests with others.
 */

/** How often to ask PostgreSQL for the state of running actors, in milliseconds. */
const pollMs = 4;
/**
 * The number of successive polls that find no statement of an actor. After that, the actor counts as
 * waiting for another one. Polls take longer on a slow machine, as the actor's work does.
 */
const maxIdlePolls = 3;
/** How often an actor that can crash does so instead of its next step. */
const crashRate = 0.3;

export type Actors = Record<string, () => Promise<unknown>>;

/** The result of a run: each actor's outcome, and all steps in their order. */
export type Interleaved<Of extends Actors> = {
  outcomes: { [Name in keyof Of]: PromiseSettledResult<Awaited<ReturnType<Of[Name]>>> };
  steps: string[];
};

/** How to run actors. Runs that take place at the same time have different lanes. */
type RunOptions<Of extends Actors> = { lane?: number; crashing?: readonly (keyof Of & string)[] };

/** The error with which an actor's work ends where its process crashes. */
export class Crashed extends Error {}

class Actor {
  /** Whether the actor takes a step, or waits for another actor. Otherwise, it is held or has ended. */
  isRunning = true;
  /** What continues or crashes the actor, while it is held. */
  held: { point: string; release(): void; crash(): void } | undefined;
  waitsForLock = false;
  /** The number of polls since the actor's last statement, or since its step began. */
  private idlePolls = 0;
  private crashed: Crashed | undefined;

  constructor(
    readonly name: string,
    readonly canCrash: boolean,
    private readonly stopped: () => void,
  ) {}

  /**
   * Holds the actor. Does not hold work that the actor does not wait for, or a second step that it
   * takes at the same time.
   */
  hold(point: string): Promise<void> | undefined {
    if (this.crashed) throw this.crashed;
    if (!this.isRunning) return undefined;
    return new Promise((release, reject) => {
      const crash = () => reject((this.crashed = new Crashed(`${this.name} crashed: ${point}`)));
      this.held = { point, release, crash };
      this.stop();
    });
  }

  /** Notes that the actor has sent a statement. */
  noteStatement(): void {
    this.idlePolls = 0;
  }

  /** Notes the state of the actor's statements that a poll has found, if there are any. */
  notePoll(state: "waits" | "runs" | undefined): void {
    this.waitsForLock = state === "waits";
    this.idlePolls = state === "runs" ? 0 : this.idlePolls + 1;
  }

  /** Whether the actor waits for another one. */
  isWaiting(): boolean {
    return this.waitsForLock || this.idlePolls >= maxIdlePolls;
  }

  /** Takes the next step. @returns a description of the step */
  step(random: () => number): string {
    const { point, release, crash } = this.held!;
    const crashes = this.canCrash && random() < crashRate;
    this.held = undefined;
    this.isRunning = true;
    this.noteStatement();
    if (crashes) crash();
    else release();
    return `${this.name}: ${point}${crashes ? " (crash)" : ""}`;
  }

  /** Ends the actor. Work that it did not wait for continues unheld. */
  end(): void {
    this.held?.release();
    this.held = undefined;
    this.stop();
  }

  private stop(): void {
    this.isRunning = false;
    this.stopped();
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
  { lane = 0, crashing = [] }: RunOptions<Of> = {},
): Promise<Interleaved<Of>> {
  const random = seededRandom(seed);
  let stir = () => {};
  // Sorted by name, so that the order in which they arrive does not matter.
  const all = Object.keys(actors)
    .sort()
    .map((name) => new Actor(name, crashing.includes(name), () => stir()));
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

  /** Resolves to whether an actor was held or ended within this time. */
  const arrival = (withinMs: number) =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, withinMs, false);
      stir = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  /** Resolves once each running actor waits for another one. */
  const settle = async () => {
    for (;;) {
      const moving = all.filter(({ isRunning }) => isRunning);
      if (moving.length === 0) return;
      if (await arrival(pollMs)) continue;
      await findStates(moving);
      if (moving.every((it) => it.isRunning && it.isWaiting())) return;
    }
  };

  const steps: string[] = [];
  for (;;) {
    await settle();
    const held = all.filter((it) => it.held);
    if (held.length > 0) steps.push(held[Math.floor(random() * held.length)]!.step(random));
    else if (!all.some(({ isRunning }) => isRunning)) break;
  }
  return { outcomes: Object.fromEntries(await Promise.all(running)) as Interleaved<Of>["outcomes"], steps };
}

/** The actor that used each connection last, by the connection's process ID. */
const users = new Map<number, Actor>();
let observer: pg.Pool | undefined;

/** Notes which actors wait for locks, and which have statements that run. */
async function findStates(actors: readonly Actor[]): Promise<void> {
  const pids = [...users].filter(([, actor]) => actors.includes(actor)).map(([pid]) => pid);
  const { rows } = await observer!.query<{ pid: number; waits: boolean }>({
    name: "states",
    text: `SELECT s.pid, s.wait_event_type IS NOT DISTINCT FROM 'Lock' AS waits
      FROM unnest($1::int[]) AS u (pid), pg_stat_get_activity(u.pid) AS s WHERE s.state = 'active'`,
    values: [pids],
  });
  const states = new Map<Actor | undefined, "waits" | "runs">();
  for (const { pid, waits } of rows) {
    const actor = users.get(pid);
    if (states.get(actor) !== "waits") states.set(actor, waits ? "waits" : "runs");
  }
  for (const actor of actors) actor.notePoll(states.get(actor));
}

/**
 * Lets `interleave` hold actors at pause points, and see which connections they use.
 * @returns a function to call after the last run
 */
export function holdActors(connectionString: string): () => Promise<void> {
  const { query } = pg.Client.prototype;
  observer = new pg.Pool({ connectionString, max: 2 });
  holdAtPoints((point) => current.getStore()?.hold(point));
  pg.Client.prototype.query = function (this: pg.Client & { processID: number }, ...given: never[]) {
    const actor = current.getStore();
    if (actor) users.set(this.processID, actor);
    actor?.noteStatement();
    return query.apply(this, given as never) as never;
  } as typeof query;
  return async () => {
    holdAtPoints(undefined);
    pg.Client.prototype.query = query;
    users.clear();
    await observer?.end();
  };
}
