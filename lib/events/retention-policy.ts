import type pg from "pg";
import { sql } from "@/lib/database/sql";

/** The retention in days; null keeps rows permanently. */
export type RetentionPolicy = { events: number | null; answered: number | null };

/** Sets the retention. @param client a connection as the tables' owner */
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
export const answerCutoff = sql`(SELECT kept_since(answered_days) FROM retention)`;
/** SQL: the time before which events have expired; NULL if all are kept. */
export const eventCutoff = sql`(SELECT kept_since(event_days) FROM retention)`;
