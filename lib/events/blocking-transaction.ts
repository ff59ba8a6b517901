import { type Executor, literal, sql } from "@/lib/database/sql";
import { log } from "@/lib/log";
import type { Gauge } from "@/lib/telemetry/metrics";
import { processSingleton } from "@/lib/work/process-singleton";
import { isBlocked } from "./event-log";

/** Beyond so many, counting would cost more than the number is worth. */
const mostCounted = 10_000;
/** From when on the log says who it is, and how often. */
const [lateSeconds, againMs] = [5, 60_000];

/**
 * The oldest transaction on the whole server that writes: no event that was written since it began is read before it ends. Never what
 * it says or said, which may be a secret.
 */
export type BlockingTransaction = {
  /** null where it is a prepared transaction, which no session has. */
  pid: number | null;
  prepared: string | null;
  database: string | null;
  user: string | null;
  application: string | null;
  /** What its session does; null where PostgreSQL does not let us know. */
  state: string | null;
  /** For how long it has been open; where PostgreSQL does not let us know, for how long we have seen it. */
  seconds: number;
  /** How many events wait for it, counted up to 10,000. */
  events: number;
};

type Found = Omit<BlockingTransaction, "seconds"> & { xid: string; seconds: number | null };

const seen = processSingleton("who holds up events", () => ({
  xid: "",
  since: 0,
  told: false,
  toldAt: Number.NEGATIVE_INFINITY,
}));

/** @returns who holds up events, or would if there were any; undefined where nobody does */
export async function findBlockingTransaction(on?: Executor): Promise<BlockingTransaction | undefined> {
  const found =
    await sql<Found>`SELECT h.xid::text, l.pid, p.gid AS prepared, coalesce(a.datname, p.database) AS database,
      coalesce(a.usename, p.owner) AS "user", nullif(a.application_name, '') AS application, a.state,
      extract(epoch FROM clock_timestamp() - coalesce(a.xact_start, p.prepared))::float8 AS seconds,
      (SELECT count(*)::int FROM (SELECT FROM event e WHERE ${isBlocked} LIMIT ${literal(mostCounted)}) AS waiting) AS events
    FROM (SELECT (event_horizon()::text::bigint - event_offset())::text::xid8 AS xid) AS h
      JOIN pg_locks l ON l.locktype = 'transactionid' AND l.transactionid = h.xid::xid AND l.mode = 'ExclusiveLock'
      LEFT JOIN pg_stat_activity a ON a.pid = l.pid
      LEFT JOIN pg_prepared_xacts p ON l.pid IS NULL AND p.transaction = l.transactionid`.row(on);
  const it = seen();
  if (!found) return void Object.assign(it, { xid: "" });
  const { xid, ...holder } = found;
  if (xid !== it.xid) Object.assign(it, { xid, since: performance.now() });
  return { ...holder, seconds: Math.max(0, holder.seconds ?? (performance.now() - it.since) / 1000) };
}

/**
 * Have the log say who holds up events, once a minute, and when that is over.
 * @param late for how many seconds a transaction may be open
 */
export async function logBlockingTransaction(late = lateSeconds): Promise<void> {
  const holder = await findBlockingTransaction();
  const it = seen();
  if (!holder || holder.seconds < late || holder.events === 0) {
    if (it.told) log.info("events, streams and webhooks are no longer held up");
    it.told = false;
  } else if (performance.now() - it.toldAt >= againMs) {
    Object.assign(it, { told: true, toldAt: performance.now() });
    log.warn("an open transaction holds up events, streams and webhooks", holder);
  }
}

/** The same as a number. */
export const blockingTransactionAge: Gauge = {
  name: "countersign_feed_holder_seconds",
  help: "For how long the transaction has been open that holds up events now; 0 where none waits.",
  labels: [],
  read: async () => {
    const holder = await findBlockingTransaction();
    return [[holder && holder.events > 0 ? holder.seconds : 0]];
  },
};
