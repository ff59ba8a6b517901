import { clock } from "@/lib/clock";
import { type Executor, literal, sql } from "@/lib/database/sql";
import { log } from "@/lib/log";
import type { Gauge } from "@/lib/telemetry/declare-metrics";
import { processSingleton } from "@/lib/work/process-singleton";
import { isBlocked } from "./event-sql-for-other-domains";

/** The maximum number of events to count. An exact higher number isn't worth its cost. */
const maxCounted = 10_000;
/**
 * The age from which a blocking transaction is logged, in seconds, and the minimum interval between
 * such logs, in milliseconds.
 */
const [lateSeconds, repeatMs] = [5, 60_000];

/**
 * The oldest write transaction on the server. Events written after it began can't be read until it
 * ends. Its statements are never included, because they may contain secrets.
 */
export type BlockingTransaction = {
  /** The process ID of the session. Null for a prepared transaction, which has no session. */
  pid: number | null;
  prepared: string | null;
  database: string | null;
  user: string | null;
  application: string | null;
  /** The session's state. Null if PostgreSQL hides it. */
  state: string | null;
  /**
   * The transaction's age in seconds. If PostgreSQL hides it, the number of seconds since we first
   * saw the transaction.
   */
  seconds: number;
  /** The number of events that wait for the transaction, up to 10,000. */
  events: number;
};

type HolderRow = Omit<BlockingTransaction, "seconds"> & { xid: string; seconds: number | null };

const seen = processSingleton("blocking transaction", () => ({
  xid: "",
  since: 0,
  logged: false,
  loggedAt: Number.NEGATIVE_INFINITY,
}));

/**
 * Finds the transaction that delays events, or that would delay new events.
 * @returns undefined if there is no such transaction
 */
export async function findBlockingTransaction(on?: Executor): Promise<BlockingTransaction | undefined> {
  const found = await sql<HolderRow>`
    SELECT h.xid::text, l.pid, p.gid AS prepared, coalesce(a.datname, p.database) AS database,
      coalesce(a.usename, p.owner) AS "user", 
      CASE WHEN a.application_name <> '' THEN a.application_name END AS "application",
      a.state,
      extract(epoch FROM clock_timestamp() - coalesce(a.xact_start, p.prepared))::float8 AS seconds,
      (
        SELECT count(*)::int
        FROM (SELECT FROM event e WHERE ${isBlocked} LIMIT ${literal(maxCounted)}) AS waiting
      ) AS events
    FROM (SELECT (event_horizon()::text::bigint - event_offset())::text::xid8 AS xid) AS h
      JOIN pg_locks l
        ON l.locktype = 'transactionid'
          AND l.transactionid = h.xid::xid
          AND l.mode = 'ExclusiveLock'
      LEFT JOIN pg_stat_activity a ON a.pid = l.pid
      LEFT JOIN pg_prepared_xacts p ON l.pid IS NULL AND p.transaction = l.transactionid`.row(on);
  const it = seen();
  if (!found) return void Object.assign(it, { xid: "" });
  const { xid, ...holder } = found;
  if (xid !== it.xid) Object.assign(it, { xid, since: clock.elapsed() });
  return { ...holder, seconds: Math.max(0, holder.seconds ?? (clock.elapsed() - it.since) / 1000) };
}

/**
 * Logs the transaction that delays events, once a minute, and logs once when events are no longer
 * delayed.
 * @param late the age in seconds at which the transaction is logged
 */
export async function logBlockingTransaction(late = lateSeconds): Promise<void> {
  const holder = await findBlockingTransaction();
  const it = seen();
  if (!holder || holder.seconds < late || holder.events === 0) {
    if (it.logged) log.info("events, streams and webhooks are no longer delayed");
    it.logged = false;
  } else if (clock.elapsed() - it.loggedAt >= repeatMs) {
    Object.assign(it, { logged: true, loggedAt: clock.elapsed() });
    log.warn("an open transaction delays events, streams and webhooks", holder);
  }
}

/**
 * A gauge of the age in seconds of the transaction that delays events. It is 0 if no events are
 * delayed.
 */
export const blockingTransactionAge: Gauge = {
  name: "countersign_feed_holder_seconds",
  help: "Age in seconds of the transaction that delays events, or 0 if no events are delayed.",
  labels: [],
  read: async () => {
    const holder = await findBlockingTransaction();
    return [[holder && holder.events > 0 ? holder.seconds : 0]];
  },
};
