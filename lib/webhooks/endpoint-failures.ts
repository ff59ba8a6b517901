import { type Sql, sql } from "@/lib/database/sql";
import { log } from "@/lib/log";

/*
 * The failures of an endpoint, which are counted in the directory. With one database, the statement
 * that records an attempt also counts (./record-attempt.ts). With several, a delivery can be in
 * another database. While the directory is away, the service does not count, and continues to send.
 */

/**
 * SQL: whether all attempts of an endpoint `ep` have failed for so long that a delivery that runs
 * out of attempts disables the endpoint.
 */
export const hasFailedForDays = sql`ep.failing_since < now() - interval '3 days'`;

/** Counts a failed attempt. @returns whether all attempts have failed for days */
export const countFailure = (endpointId: string, attemptedAt: Sql): Promise<{ long: boolean | null } | undefined> =>
  sql<{ long: boolean | null }>`
    UPDATE webhook_endpoint ep
    SET failures = ep.failures + 1, failing_since = coalesce(ep.failing_since, ${attemptedAt})
    WHERE ep.id = ${endpointId}
    RETURNING ${hasFailedForDays} AS long`
    .row()
    .catch(notCounted);

/** Forgets the failures of endpoints that have accepted a delivery. */
export async function forgetFailures(endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length === 0) return;
  await sql`
    UPDATE webhook_endpoint ep
    SET failures = 0, failing_since = NULL
    WHERE ep.id = ANY (${[...new Set(endpointIds)]}) AND ep.failures > 0`
    .run()
    .catch(notCounted);
}

function notCounted(error: unknown): undefined {
  log.warn("could not count the attempts of a webhook", { reason: String(error) });
}
