import type { OwnerActor } from "@/lib/actor";
import { askedLately } from "@/lib/approvals/sql";
import { pushedTypes } from "@/lib/notifications/sql";
import { sql } from "@/lib/sql";

/** What there is to know about an app when one decides what it may do. */
export type AppFacts = {
  /** Questions in the last 30 days; 1,000 stands for that many or more. */
  asked: number;
  /** The owner's answers among them, and half of them took no longer than that, in milliseconds. */
  answered: number;
  medianMs?: number;
  /** Types of its notifications, by name. */
  types: string[];
  /** A consent request of this owner that is still open. */
  openRequest?: string;
};

/** Most questions and notifications that are looked at. */
const most = 1000;

/** How much an app asks and how fast it is answered, by owner and app: an index gives the latest thousand. */
export async function readAppFacts({ ownerId }: OwnerActor, appId: string): Promise<AppFacts> {
  const found = await sql<AppFacts & { medianMs: number | null; openRequest: string | null }>`
    SELECT count(a.id)::int AS asked, count(a.took)::int AS answered,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY a.took)::float8 AS "medianMs",
        ${pushedTypes(ownerId, appId, most)} AS types,
        (SELECT r.id FROM consent_request r WHERE r.owner_id = ${ownerId} AND r.app_id = ${appId} AND r.decided_at IS NULL AND r.expires_at > now()
          ORDER BY r.expires_at DESC LIMIT 1) AS "openRequest"
      FROM ${askedLately(ownerId, appId, most)} AS a`.row();
  const { medianMs, openRequest, ...facts } = found!;
  return { ...facts, ...(medianMs !== null && { medianMs }), ...(openRequest !== null && { openRequest }) };
}
