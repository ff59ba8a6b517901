import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { and, identifier, type Sql, sql } from "@/lib/database/sql";

/** SQL: the IDs of deleted apps, for domains that still refer to them. */
export const deletedApps: Sql = sql`SELECT id FROM app WHERE deleted_at IS NOT NULL`;

const isUnknownTo = (table: string) => sql`NOT EXISTS (
  SELECT FROM ${identifier(table)} h WHERE h.app_id = app.id
)`;

/**
 * Returns the IDs of apps that a rule selects.
 * @param limit the maximum number of apps
 */
export const selectedApps = async ({ when }: ExpiryRule, limit: number): Promise<string[]> =>
  (await sql<{ id: string }>`SELECT id FROM app WHERE ${when} LIMIT ${limit}`.rows()).map(({ id }) => id);

/**
 * Returns the rule that deletes unused apps: self-registered and metadata apps that are older than
 * a day, and apps whose owner's account was deleted.
 * @param holding the tables whose rows prevent the deletion of the app that they refer to
 */
export const neverConnected = (holding: readonly string[]): ExpiryRule => ({
  table: "app",
  when: and([
    sql`(kind IN ('dynamic', 'metadata') AND created_at < now() - interval '24 hours'
      OR kind IN ('manual', 'test') AND owner_id IS NULL)`,
    ...holding.map(isUnknownTo),
  ]),
});
