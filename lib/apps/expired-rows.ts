import { and, identifier, type Sql, sql } from "@/lib/database/sql";
import type { ExpiryRule } from "@/lib/database/sweeper";

/** The ids of apps that are deleted, for whoever holds on to them. */
export const deletedApps: Sql = sql`SELECT id FROM app WHERE deleted_at IS NOT NULL`;

/**
 * Apps that came by themselves and that no owner ever let in.
 * @param holding the tables that name apps: what one of them names stays
 */
export const neverConnected = (holding: readonly string[]): ExpiryRule => ({
  table: "app",
  when: and([
    sql`kind IN ('dynamic', 'metadata') AND created_at < now() - interval '24 hours'`,
    ...holding.map(identifier).map((table) => sql`NOT EXISTS (SELECT FROM ${table} h WHERE h.app_id = app.id)`),
  ]),
});
