import type pg from "pg";
import { sql } from "@/lib/database/sql";

/** The retention periods in days; null keeps rows permanently. */
export type RetentionPolicy = { events: number | null; answered: number | null };

/**
 * Sets the retention periods.
 * @param client a connection with the role that owns the tables
 */
export const setRetention = (client: pg.ClientBase, { events, answered }: RetentionPolicy): Promise<number> =>
  sql`
    UPDATE retention
    SET event_days = ${events}, answered_days = ${answered}
    WHERE (event_days, answered_days) IS DISTINCT FROM (
      ${events}::int, ${answered}::int
    )`.run(client);

export async function readRetention(): Promise<RetentionPolicy> {
  const found = await sql<RetentionPolicy>`
    SELECT event_days AS events, answered_days AS answered
    FROM retention`.row();
  return found ?? { events: null, answered: null };
}

/** SQL: the time before which answers have expired; NULL if all are kept. */
export const answerCutoff = sql`(SELECT retention_cutoff(answered_days) FROM retention)`;
/** SQL: the time before which events have expired; NULL if all are kept. */
export const eventCutoff = sql`(SELECT retention_cutoff(event_days) FROM retention)`;
