import pg from "pg";
import { databaseTimeouts } from "@/lib/database/database-timeouts";
import { inTransaction } from "@/lib/database/db";
import type { Sql } from "@/lib/database/sql";
import { counter } from "@/lib/telemetry/metric-instruments";

/*
 * Retries the requests of a batch whose statement failed, so that a bad request fails alone.
 * PostgreSQL rolled the statement back, so no request is processed twice.
 */

/**
 * The statements for one request and for several. Each row of the latter has the request's position
 * `n`, from 1.
 */
type Statements<Request, Row extends object> = {
  one(request: Request): Sql<Row>;
  batch(requests: readonly Request[]): Sql<Row & { n: number }>;
};

const fallBacks = counter(
  "countersign_batch_fallbacks_total",
  "Batches of requests that failed, by the retry method (each request alone, or the batch in halves).",
  "how",
);

/**
 * Returns how long requests of a batch that timed out may take, in milliseconds since the oldest
 * arrived.
 */
const giveUpAfter = () => databaseTimeouts().appAcquireTimeoutMs + databaseTimeouts().reply;
const timeLeft = (since: number) => since + giveUpAfter() - performance.now();
/** The minimum time for a statement, in milliseconds. With less, it is not started. */
const leastTime = 25;
/**
 * A batch of at most this many requests is split into single ones instead of halves. So is a larger
 * batch if its halves would get less than this many milliseconds each.
 */
const [fewItems, leastForHalves] = [4, 100];

/**
 * Whether PostgreSQL rolled the statement back, and the connection still works. After errors
 * without a SQLSTATE, or of the classes 08 and 57P0x, the connection is lost, and the statement may
 * have been committed.
 */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57P0)/.test(error.code ?? "08");

/** Whether an error is a timeout of a statement or a lock: query_canceled, lock_not_available. */
const isTimeout = (error: unknown) => error instanceof pg.DatabaseError && /^(57014|55P03)$/.test(error.code ?? "");

/**
 * Processes the requests of a batch that was rolled back. After a timeout, two halves run, each
 * with a quarter of the remaining time. A half that times out is split again, down to single
 * requests with half of the remaining time. After any other error, each request runs alone.
 * @param since when the oldest request arrived, by `performance.now()`
 * @returns an outcome for each request, in order
 */
export function doApart<Request, Row extends object>(
  statements: Statements<Request, Row>,
  requests: readonly Request[],
  error: unknown,
  since: number,
): Promise<Row | undefined>[] {
  if (!isTimeout(error)) {
    fallBacks(["each"]);
    return requests.map((request) => statements.one(request).row());
  }
  fallBacks(["halves"]);
  const isLast = requests.length <= fewItems || timeLeft(since) / 4 < leastForHalves;
  const size = isLast ? 1 : Math.ceil(requests.length / 2);
  const parts = Array.from({ length: Math.ceil(requests.length / size) }, (_, index) =>
    requests.slice(index * size, (index + 1) * size),
  );
  return parts.flatMap((part) => {
    const done = doPart(statements, part, error, since);
    return part.map(async (_, index) => (await done)[index]);
  });
}

/**
 * Runs a part of a batch.
 * @throws the error if the part can't be split, too little time is left, or the connection is lost
 */
async function doPart<Request, Row extends object>(
  statements: Statements<Request, Row>,
  part: readonly Request[],
  before: unknown,
  since: number,
): Promise<readonly (Row | undefined | Promise<Row | undefined>)[]> {
  try {
    const rows = await inTransaction(async (client) => {
      const time = Math.floor(timeLeft(since) / (part.length > 1 ? 4 : 2));
      if (time < leastTime) throw before;
      await client.query(`SET LOCAL statement_timeout = ${time}`);
      return statements.batch(part).rows(client);
    });
    const found = new Map(rows.map((row) => [row.n, row]));
    return part.map((_, index) => found.get(index + 1));
  } catch (error) {
    if (part.length === 1 || error === before || !isRolledBack(error)) throw error;
    return doApart(statements, part, error, since);
  }
}
