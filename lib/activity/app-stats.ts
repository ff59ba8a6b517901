import type { OwnerActor } from "@/lib/actor";
import { recentQuestions } from "@/lib/approvals/sql";
import { sql } from "@/lib/database/sql";
import { pushedTypes } from "@/lib/notifications/sql";

/** What there is to know about an app when one decides what it may do. */
export type AppStats = {
  /** Questions in the last 30 days; 1,000 stands for that many or more. */
  asked: number;
  /** The owner's answers among them, and half of them took no longer than that, in milliseconds. */
  answered: number;
  medianMs?: number;
  /** Types of its notifications, by name. */
  types: string[];
};

/** Most questions and notifications that are looked at. */
const most = 1000;

/** How much an app asks and how fast it is answered, by owner and app: an index gives the latest thousand. */
export async function readAppFacts({ ownerId }: OwnerActor, appId: string): Promise<AppStats> {
  const found = await sql<AppStats & { medianMs: number | null }>`
    SELECT count(a.id)::int AS asked, count(a.took)::int AS answered,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY a.took)::float8 AS "medianMs",
        ${pushedTypes(ownerId, appId, most)} AS types
      FROM ${recentQuestions(ownerId, appId, most)} AS a`.row();
  const { medianMs, ...facts } = found!;
  return { ...facts, ...(medianMs !== null && { medianMs }) };
}
