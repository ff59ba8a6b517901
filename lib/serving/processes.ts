import cluster, { type Worker } from "node:cluster";
import { OperatorError } from "@/lib/cli/command";
import { log } from "@/lib/log";
import type { Snapshot } from "@/lib/telemetry/registry";
import type { Serving } from "./graceful-shutdown";
import { type Handed, sharePort, type TakenConnection } from "./shared-port";
import { type SnapshotRequest, SnapshotRequests } from "./snapshot-requests";

/** More processes would only take cores from the database. */
const maxAutomatic = 8;

/**
 * The number of processes for PROCESSES. "auto" means the number of cores minus one for the
 * database.
 */
export const countOf = (setting: number | "auto", cores: number): number =>
  setting === "auto" ? Math.max(1, Math.min(maxAutomatic, cores - 1)) : setting;

/** Messages from a process to its parent, and back. */
export type ProcessMessage = "ready" | { failed: string } | { asked: number; snapshot: Snapshot } | TakenConnection;
export type ProcessOrder = "leave" | SnapshotRequest | Handed;

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

const isReady = ({ readySince }: Seat) => readySince !== undefined;

/**
 * After serving this long, in milliseconds, an exit is not blamed on startup, and the next process
 * starts immediately.
 */
const settled = 10_000;
/** After this many early exits, with no process serving, an operator has to look. */
const maxFailures = 5;
const maxPauseMs = 30_000;
const pauseAfter = (failures: number) => (failures === 0 ? 0 : Math.min(maxPauseMs, 250 * 2 ** failures));

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
  const shared = await sharePort(how.host, how.port);
  cluster.setupPrimary({ exec: how.program, args: [] });
  const group = new ProcessGroup(how, shared.connections);
  const stop = () => {
    shared.close();
    return group.stop();
  };
  const refused = await group.start();
  if (refused !== undefined) {
    await stop();
    throw new OperatorError(refused);
  }
  return { port: shared.port, snapshots: () => group.snapshots(), markNotReady: () => group.leave(), stop };
}

class ProcessGroup {
  private readonly seats: readonly Seat[];
  private readonly snapshotRequests = new SnapshotRequests();
  private state: "starting" | "serving" | "ending" = "starting";
  /** Why a process exited during startup. */
  private refused: string | undefined;
  private changed = () => {};

  constructor(
    private readonly how: Pick<Processes, "count" | "environment" | "givenUp">,
    private readonly connections: Awaited<ReturnType<typeof sharePort>>["connections"],
  ) {
    this.seats = Array.from({ length: how.count }, (_, at): Seat => {
      return { number: at + 1, worker: undefined, readySince: undefined, failures: 0 };
    });
  }

  /** @returns once all serve; otherwise, why one exited */
  async start(): Promise<string | undefined> {
    for (const seat of this.seats) this.begin(seat);
    await this.until(() => this.refused !== undefined || this.seats.every(isReady));
    if (this.refused === undefined) this.state = "serving";
    return this.refused;
  }

  /** Asks the processes to end. */
  leave(): void {
    this.state = "ending";
    for (const { worker, timer, readySince } of this.seats) {
      clearTimeout(timer);
      // A process that has not started yet does not listen for messages.
      if (readySince === undefined) worker?.process.kill("SIGTERM");
      else if (worker?.isConnected()) worker.send("leave");
    }
  }

  async stop(): Promise<void> {
    if (this.state !== "ending") this.leave();
    await this.until(() => this.seats.every(({ worker }) => !worker));
  }

  snapshots(): Promise<Snapshot[]> {
    return this.snapshotRequests.collect(this.seats.filter(isReady).map(({ worker }) => worker));
  }

  private begin(seat: Seat): void {
    const worker = cluster.fork({ ...this.how.environment, COUNTERSIGN_PROCESS: String(seat.number) });
    seat.worker = worker;
    let problem: string | undefined;
    worker.on("message", (said: ProcessMessage) => {
      if (typeof said === "object" && "failed" in said) problem = said.failed;
      this.receive(seat, worker, said);
    });
    const over = (how: string) => {
      this.connections.remove(worker.process);
      if (seat.worker === worker) this.ended(seat, problem ?? `The process ended with ${how}.`);
    };
    // The exit can be seen before the last message, which may say why it failed.
    const exited = (how: string) => (worker.isConnected() ? worker.once("disconnect", () => over(how)) : over(how));
    worker.on("exit", (code, signal) => exited(signal ?? `status ${code}`)).on("error", (error) => over(error.message));
  }

  private receive(seat: Seat, worker: Worker, said: ProcessMessage): void {
    if (said === "ready") {
      seat.readySince = performance.now();
      this.connections.add(worker.process);
      this.changed();
    } else if ("failed" in said) this.changed();
    else if ("taken" in said) this.connections.confirm(worker.process, said.taken);
    else this.snapshotRequests.receive(said.asked, said.snapshot);
  }

  private ended(seat: Seat, why: string): void {
    const lived = seat.readySince === undefined ? 0 : performance.now() - seat.readySince;
    seat.worker = undefined;
    seat.readySince = undefined;
    if (this.state === "starting") this.refused ??= why;
    this.changed();
    if (this.state !== "serving") return;
    seat.failures = lived >= settled ? 0 : seat.failures + 1;
    if (seat.failures >= maxFailures && !this.seats.some(isReady)) {
      this.leave();
      this.how.givenUp(why);
    } else this.beginAgain(seat, why);
  }

  private beginAgain(seat: Seat, why: string): void {
    const afterMs = pauseAfter(seat.failures);
    log.error("a process ended; starting another", undefined, { process: seat.number, why, afterMs });
    seat.timer = setTimeout(() => this.begin(seat), afterMs);
  }

  /** @returns once the condition holds */
  private async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.changed = resolve));
  }
}
