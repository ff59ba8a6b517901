import pg from "pg";
import { clock } from "@/lib/clock";
import { databaseTimeouts } from "@/lib/database/database-timeouts";
import { inTransaction } from "@/lib/database/db";
import type { Sql } from "@/lib/database/sql";
import { counter } from "@/lib/telemetry/declare-metrics";

/*
 * Retries the requests of a batch whose statement failed, so that a bad request fails alone.
 * PostgreSQL rolled back the failed statement, so no request is processed twice.
 */

/**
 * The statements for one request and for several requests. In the latter's rows, `n` is the
 * position of the request, starting at 1.
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
 * Returns how long the requests of a batch that timed out may take, in milliseconds from the
 * arrival of the oldest request.
 */
const giveUpAfter = () => databaseTimeouts().appAcquireTimeoutMs + databaseTimeouts().reply;
const timeLeft = (since: number) => since + giveUpAfter() - clock.elapsed();
/**
 * The minimum time for a statement, in milliseconds. If less time is left, the statement is not
 * started.
 */
const leastTime = 25;
/**
 * The size of a batch up to which it is split into single requests instead of halves, and the time
 * in milliseconds per half below which a larger batch is split that way, too.
 */
const [fewItems, leastForHalves] = [4, 100];

/**
 * Whether PostgreSQL rolled the statement back and the connection still works. After an error
 * without a SQLSTATE, or with one of class 08 or 57P0x, the connection is lost, and the statement
 * may have been committed.
 */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57P0)/.test(error.code ?? "08");

/** Whether an error is a statement or lock timeout (query_canceled or lock_not_available). */
const isTimeout = (error: unknown) => error instanceof pg.DatabaseError && /^(57014|55P03)$/.test(error.code ?? "");

/**
 * Processes the requests of a batch that was rolled back. After a timeout, the batch is split into
 * halves that each get a quarter of the remaining time. A half that times out is split again, down
 * to single requests, which get half of the remaining time. After any other error, each request
 * runs alone.
 * @param since when the oldest request arrived, as a `performance.now()` value
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
 * Processes a part of a batch.
 * @throws the last statement's error if the part can't be split, too little time is left, or the
 * connection is lost
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
