import type { Worker } from "node:cluster";
import type { Snapshot } from "@/lib/telemetry/registry";

/** `whole`: also the counters of the whole service. */
export type SnapshotRequest = { asked: number; whole: boolean };

/** Timeout for a process to report its counters, in milliseconds. A stuck process is left out. */
const timeoutMs = 3000;

/** Requests for the counters of other processes. */
export class SnapshotRequests {
  private readonly pending = new Map<number, (snapshot: Snapshot) => void>();
  private count = 0;

  /** A process has reported. */
  receive(number: number, snapshot: Snapshot): void {
    this.pending.get(number)?.(snapshot);
  }

  /** The counters of processes that respond; of the first one, those of the whole service too. */
  async collect(workers: readonly (Worker | undefined)[]): Promise<Snapshot[]> {
    const reported = await Promise.all(
      workers.map((worker, at) => worker?.isConnected() && this.request(worker, at === 0)),
    );
    return reported.filter((snapshot) => snapshot !== undefined && snapshot !== false);
  }

  private request(worker: Worker, whole: boolean): Promise<Snapshot | undefined> {
    return new Promise((resolve) => {
      const number = ++this.count;
      const end = (snapshot?: Snapshot) => {
        clearTimeout(timer);
        this.pending.delete(number);
        resolve(snapshot);
      };
      const timer = setTimeout(end, timeoutMs);
      this.pending.set(number, end);
      worker.send({ asked: number, whole } satisfies SnapshotRequest, (error) => error && end());
    });
  }
}
