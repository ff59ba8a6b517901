import pg from "pg";
import { clock } from "@/lib/clock";
import { currentRequest } from "../request-context";
import { databaseTimeouts } from "./database-timeouts";
import { FailoverClient } from "./failover-client";

/** Returns an error with the same message as pg's own, because callers match it. */
export const poolTimeoutError = () => new Error("timeout exceeded when trying to connect");
/** Returns how long the current request waits for a connection, in milliseconds. */
export const acquireTimeoutMs = () => {
  const { appAcquireTimeoutMs, patientConnectionWait } = databaseTimeouts();
  return ["pages", undefined].includes(currentRequest()?.kind) ? patientConnectionWait : appAcquireTimeoutMs;
};
/**
 * Returns how long a connection may be in use before it counts as blocked, most likely by a lock,
 * in milliseconds. This is slightly shorter than the statement timeout. The connection's type of
 * work then counts as blocked for `heldUpFor` milliseconds.
 */
const slow = () => 0.95 * databaseTimeouts().statement;
const heldUpFor = 3000;
/**
 * The number of connections for a blocked type of work. Two are enough to notice when the block
 * ends.
 */
const fewest = 2;

type Partition = { inUse: number; heldUpUntil: number; readonly waiting: (() => void)[] };
type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool that no single type of work (`kind` in RequestContext) can exhaust, so a lock on one table
 * leaves connections for other work. Each type gets about seven tenths of the connections, or two
 * while it is blocked. A connection that opens after its caller has given up (`appAcquireTimeoutMs`
 * in lib/database/database-timeouts.ts) serves another request.
 */
export class SharedPool extends pg.Pool {
  private readonly kinds = new Map<string, Partition>();
  private readonly out = new WeakMap<pg.PoolClient, { kind: Partition; since: number }>();

  constructor(config: pg.PoolConfig) {
    super({ Client: FailoverClient, ...config, connectionTimeoutMillis: databaseTimeouts().patientConnectionWait });
    this.on("release", (_error, client) => {
      const taken = this.out.get(client);
      if (!taken) return;
      this.out.delete(client);
      const now = clock.elapsed();
      if (now - taken.since >= slow()) taken.kind.heldUpUntil = now + heldUpFor;
      this.leave(taken.kind);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback) return void this.enter(callback);
    return new Promise((resolve, reject) => this.enter((error, client) => (client ? resolve(client) : reject(error))));
  }

  /** The number of callers waiting for a connection, in this class's queue or in pg's. */
  get queued(): number {
    return [...this.kinds.values()].reduce((sum, { waiting }) => sum + waiting.length, this.waitingCount);
  }

  private enter(callback: Connected) {
    const kind = this.kind();
    const free = kind.inUse < this.share(kind);
    if (free && this.idleCount > this.waitingCount) return this.take(kind, callback, () => false);
    let late = false;
    const begin = () =>
      this.take(
        kind,
        (...reply) => {
          clearTimeout(timer);
          callback(...reply);
        },
        () => late,
      );
    const timer = clock.setTimeout(() => {
      late = true;
      const index = kind.waiting.indexOf(begin);
      if (index >= 0) kind.waiting.splice(index, 1);
      callback(poolTimeoutError(), undefined, () => {});
    }, acquireTimeoutMs());
    if (free) begin();
    else kind.waiting.push(begin);
  }

  /** Takes a connection from pg's pool. @param isLate whether the caller has given up */
  private take(kind: Partition, callback: Connected, isLate: () => boolean) {
    kind.inUse++;
    super.connect((error, client, done) => {
      if (!client) this.leave(kind);
      else this.out.set(client, { kind, since: clock.elapsed() });
      if (!isLate()) callback(error, client, done);
      else client?.release();
    });
  }

  private leave(kind: Partition) {
    kind.inUse--;
    if (kind.inUse < this.share(kind)) kind.waiting.shift()?.();
  }

  private share({ heldUpUntil }: Partition): number {
    const all = this.options.max ?? 10;
    const max = all - Math.max(2, Math.floor(all * 0.3));
    return Math.max(fewest, heldUpUntil > 0 && clock.elapsed() < heldUpUntil ? 0 : max);
  }

  private kind(): Partition {
    const name = currentRequest()?.kind ?? "background";
    let kind = this.kinds.get(name);
    if (!kind) this.kinds.set(name, (kind = { inUse: 0, heldUpUntil: 0, waiting: [] }));
    return kind;
  }
}
