import pg from "pg";
import { databaseTimeouts } from "@/lib/database/database-timeouts";
import { inTransaction } from "@/lib/database/db";
import type { Sql } from "@/lib/database/sql";
import { counter } from "@/lib/telemetry/metric-instruments";

/*
 * Retries the items of a batch whose statement failed, so that one bad item fails alone. PostgreSQL
 * rolled the statement back, so no item is processed twice.
 */

/**
 * The statement for one request, and the statement for several requests. Each row of the latter has
 * the request's position `n`, counted from 1.
 */
type Statements<Request, Row extends object> = {
  one(request: Request): Sql<Row>;
  batch(requests: readonly Request[]): Sql<Row & { n: number }>;
};

const fallBacks = counter(
  "countersign_batch_fallbacks_total",
  "Failed batches of requests, by how the service retries each batch (each request alone, or halves).",
  "how",
);

/**
 * Returns the deadline for the items of a batch that timed out, in milliseconds since the oldest
 * item arrived.
 */
const giveUpAfter = () => databaseTimeouts().appAcquireTimeoutMs + databaseTimeouts().reply;
const timeLeft = (since: number) => since + giveUpAfter() - performance.now();
/** A statement gets at least this many milliseconds, or is not started. */
const leastTime = 25;
/**
 * A batch of at most this many items is split into single items, not into halves. So is a larger
 * batch if its halves would get fewer than this many milliseconds each.
 */
const [fewItems, leastForHalves] = [4, 100];

/**
 * Whether PostgreSQL rolled the statement back and the connection still works. False for SQLSTATE
 * classes 08 and 57P0x, and for errors without a SQLSTATE. The connection is then lost, and the
 * statement may have been committed.
 */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57P0)/.test(error.code ?? "08");

/** Whether an error is a statement timeout or lock timeout: query_canceled, lock_not_available. */
const isTimeout = (error: unknown) => error instanceof pg.DatabaseError && /^(57014|55P03)$/.test(error.code ?? "");

/**
 * Processes the items of a batch that was rolled back. After a timeout, two halves run with a
 * quarter of the remaining time each. A half that times out is split again, down to single items
 * with half of the remaining time. After any other error each item runs in a separate statement.
 * @param since when the oldest item arrived, by `performance.now()`
 * @returns an outcome for each item, in order
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
 * @throws the error of a part that can't be split further or has too little time left, or a lost
 *   connection's error
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
