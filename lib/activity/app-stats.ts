import type { OwnerActor } from "@/lib/actor";
import { recentQuestions } from "@/lib/approvals/approval-sql-for-other-domains";
import { sql } from "@/lib/database/sql";
import { pushedTypes } from "@/lib/notifications/notification-sql-for-other-domains";

/** An app's usage, which helps an owner decide on its permissions. */
export type AppStats = {
  /** Questions in the last 30 days, counted up to 1,000. */
  asked: number;
  /**
   * The number of those questions that the owner answered, and the median response time in
   * milliseconds.
   */
  answered: number;
  medianMs?: number;
  /** The types of the app's latest notifications. */
  types: string[];
};

/** The maximum number of questions, and of notifications, to read. */
const maxRows = 1000;

/**
 * Counts an app's recent questions and measures how fast the owner answered. Reads only the latest
 * thousand questions, using an index.
 */
export async function readAppStats({ ownerId }: OwnerActor, appId: string): Promise<AppStats> {
  const found = await sql<AppStats & { medianMs: number | null }>`
    SELECT c.asked, c.answered,
      ((c.took[(c.answered + 1) / 2] + c.took[c.answered / 2 + 1]) / 2.0)::float8 AS "medianMs",
      ${pushedTypes(ownerId, appId, maxRows)} AS types
    FROM (
      SELECT count(a.id)::int AS asked, count(a.took)::int AS answered,
        array_agg(a.took ORDER BY a.took) AS took
      FROM ${recentQuestions(ownerId, appId, maxRows)} AS a
    ) AS c`.row();
  const { medianMs, ...facts } = found!;
  return { ...facts, ...(medianMs !== null && { medianMs }) };
}
