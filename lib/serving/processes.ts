import cluster, { type Worker } from "node:cluster";
import { OperatorError } from "@/lib/cli/command";
import { log } from "@/lib/log";
import type { Snapshot } from "@/lib/telemetry/registry";
import type { Serving } from "./graceful-shutdown";
import { type Handed, sharePort, type Taken } from "./shared-port";

/** Timeout for a process to report its counters, in milliseconds. A stuck process is left out. */
const snapshotPatience = 3000;
/** More processes would only take cores from the database. */
const mostByThemselves = 8;

/**
 * The number of processes for PROCESSES. "auto" means the number of cores minus one for the
 * database.
 */
export const countOf = (setting: number | "auto", cores: number): number =>
  setting === "auto" ? Math.max(1, Math.min(mostByThemselves, cores - 1)) : setting;

/** Messages from a process to its parent, and back. */
export type ProcessMessage = "ready" | { failed: string } | { asked: number; snapshot: Snapshot } | Taken;
export type ProcessOrder = "leave" | { asked: number; whole: boolean } | Handed;

/** A slot for a process, numbered from 1. */
type Seat = {
  number: number;
  worker: Worker | undefined;
  /** When it became ready; undefined while it is not. */
  readySince: number | undefined;
  /** Consecutive early exits. */
  failures: number;
  timer?: NodeJS.Timeout;
};

/**
 * After serving this long, in milliseconds, an exit is not blamed on startup, and the next process
 * starts immediately.
 */
const settled = 10_000;
/** After this many early exits, with no process serving, an operator has to look. */
const mostFailures = 5;
const longestPause = 30_000;
const pauseAfter = (failures: number) => (failures === 0 ? 0 : Math.min(longestPause, 250 * 2 ** failures));

type Processes = {
  host: string;
  port: number;
  count: number;
  /** The program they run, which sends "ready" when it serves (./child-process.ts). */
  program: string;
  environment: Record<string, string>;
  /** Called with a sentence for the operator when none serves and new ones exit immediately. */
  givenUp(why: string): void;
};

/**
 * Serve in several processes that share one port. This process accepts connections and hands them
 * over in turn, responds 503 while no process is ready, and replaces any process that exits.
 * @returns with the chosen port, if it was 0
 * @throws {OperatorError} if it cannot listen, or if a process exits before it serves; then none is
 *   left
 */
export async function startProcesses(how: Processes): Promise<Serving & { port: number }> {
  const { count, program, environment, givenUp } = how;
  const shared = await sharePort(how.host, how.port);
  cluster.setupPrimary({ exec: program, args: [] });
  const seats = Array.from({ length: count }, (_, at): Seat => {
    return { number: at + 1, worker: undefined, readySince: undefined, failures: 0 };
  });
  let state: "starting" | "serving" | "ending" = "starting";
  let changed = () => {};
  let refused: string | undefined;

  const begin = (seat: Seat) => {
    const worker = cluster.fork({ ...environment, COUNTERSIGN_PROCESS: String(seat.number) });
    seat.worker = worker;
    let problem: string | undefined;
    worker.on("message", (said: ProcessMessage) => {
      if (said === "ready") {
        seat.readySince = performance.now();
        shared.add(worker.process);
      } else if ("failed" in said) problem = said.failed;
      else if ("taken" in said) return shared.taken(worker.process, said);
      else return asking.get(said.asked)?.(said.snapshot);
      changed();
    });
    const over = (how: string) => {
      shared.remove(worker.process);
      if (seat.worker === worker) ended(seat, problem ?? `The process ended with ${how}.`);
    };
    // The exit can be seen before the last message, which may say why it failed.
    const exited = (how: string) => (worker.isConnected() ? worker.once("disconnect", () => over(how)) : over(how));
    worker.on("exit", (code, signal) => exited(signal ?? `status ${code}`)).on("error", (error) => over(error.message));
  };

  const asking = new Map<number, (told: Snapshot) => void>();
  let asked = 0;
  const snapshotOf = (worker: Worker, whole: boolean) =>
    new Promise<Snapshot | undefined>((resolve) => {
      const number = ++asked;
      const told = (snapshot?: Snapshot) => {
        clearTimeout(late);
        asking.delete(number);
        resolve(snapshot);
      };
      const late = setTimeout(told, snapshotPatience);
      asking.set(number, told);
      worker.send({ asked: number, whole } satisfies ProcessOrder, (error) => error && told());
    });
  const snapshots = async () => {
    const there = seats.filter(({ readySince }) => readySince !== undefined).map(({ worker }) => worker);
    const told = await Promise.all(there.map((worker, at) => worker?.isConnected() && snapshotOf(worker, at === 0)));
    return told.filter((snapshot) => snapshot !== undefined && snapshot !== false);
  };

  const ended = (seat: Seat, why: string) => {
    const lived = seat.readySince === undefined ? 0 : performance.now() - seat.readySince;
    seat.worker = undefined;
    seat.readySince = undefined;
    if (state === "starting") refused ??= why;
    changed();
    if (state !== "serving") return;
    seat.failures = lived >= settled ? 0 : seat.failures + 1;
    if (seat.failures >= mostFailures && !seats.some(({ readySince }) => readySince !== undefined)) {
      leave();
      return givenUp(why);
    }
    const afterMs = pauseAfter(seat.failures);
    log.error("a process ended; starting another", undefined, { process: seat.number, why, afterMs });
    seat.timer = setTimeout(begin, afterMs, seat);
  };

  /** @returns once the condition holds */
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>((resolve) => (changed = resolve));
  };
  const leave = () => {
    state = "ending";
    for (const { worker, timer, readySince } of seats) {
      clearTimeout(timer);
      // A process that has not started yet does not listen for messages.
      if (readySince === undefined) worker?.process.kill("SIGTERM");
      else if (worker?.isConnected()) worker.send("leave");
    }
  };
  const stop = async () => {
    shared.close();
    if (state !== "ending") leave();
    await until(() => seats.every(({ worker }) => !worker));
  };

  for (const seat of seats) begin(seat);
  await until(() => refused !== undefined || seats.every(({ readySince }) => readySince !== undefined));
  if (refused !== undefined) {
    await stop();
    throw new OperatorError(refused);
  }
  state = "serving";
  return { port: shared.port, snapshots, markNotReady: leave, stop };
}
