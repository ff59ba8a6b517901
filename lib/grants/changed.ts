import type { Change } from "@/lib/events/change";
import { type NewEvent, record } from "@/lib/events/events";
import { rows, sql } from "@/lib/sql";

/**
 * Write down that a grant changed, with all its scopes as they are now: the app is told of it. After what
 * changed it, in the same change.
 */
export async function recordGrantChanged(
  tx: Change,
  about: { ownerId: string; appId: string; grantId: string },
  data: NonNullable<NewEvent["data"]>,
): Promise<void> {
  const { ownerId, appId, grantId } = about;
  const scopes = await rows<{ scope: string }>(
    sql`SELECT scope FROM grant_scope WHERE grant_id = ${grantId} ORDER BY scope`,
    tx,
  );
  const now = scopes.map(({ scope }) => scope);
  await record(tx, { ownerId, appId, type: "grant.changed", subject: grantId, data: { ...data, now } });
}
