import type { OwnerActor } from "@/lib/actor";
import { recentQuestions } from "@/lib/approvals/sql";
import { sql } from "@/lib/database/sql";
import { pushedTypes } from "@/lib/notifications/sql";

/** An app's usage, for an owner who decides on its permissions. */
export type AppStats = {
  /** Questions in the last 30 days; 1,000 means 1,000 or more. */
  asked: number;
  /** The number of them that the owner answered, and their median response time in milliseconds. */
  answered: number;
  medianMs?: number;
  /** The types of its notifications, by name. */
  types: string[];
};

/** The most questions and notifications to read. */
const maxRows = 1000;

/**
 * The number of an app's questions and the speed of one owner's answers. An index finds the latest
 * thousand.
 */
export async function readAppFacts({ ownerId }: OwnerActor, appId: string): Promise<AppStats> {
  const found = await sql<AppStats & { medianMs: number | null }>`
    SELECT count(a.id)::int AS asked, count(a.took)::int AS answered,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY a.took)::float8 AS "medianMs",
      ${pushedTypes(ownerId, appId, maxRows)} AS types
    FROM ${recentQuestions(ownerId, appId, maxRows)} AS a`.row();
  const { medianMs, ...facts } = found!;
  return { ...facts, ...(medianMs !== null && { medianMs }) };
}
