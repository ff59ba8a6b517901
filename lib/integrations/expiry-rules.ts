import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { type Sql, sql } from "@/lib/database/sql";

/** Expiry rule for link attempts whose owner never returned. */
export const expiredAttempts: ExpiryRule = {
  table: "link_attempt",
  when: sql`expires_at < now() - interval '1 hour'`,
};

/** SQL: whether a linked account was removed long ago, and has nothing left to revoke. */
const isLongRemoved = sql`disconnected_at < now() - interval '30 days' AND erase_at IS NULL`;
/**
 * SQL: the IDs of accounts that were removed long ago. Other domains that refer to them delete
 * these references.
 */
export const longRemoved = sql`SELECT id FROM integration WHERE ${isLongRemoved}`;

/**
 * Returns the expiry rule for removed accounts that apps no longer see.
 * @param held SQL: whether another domain still refers to an account's ID
 */
export const expiredAccounts = (held: (id: Sql) => Sql): ExpiryRule => ({
  table: "integration",
  when: sql`${isLongRemoved} AND NOT ${held(sql`integration.id`)}`,
});
