import { type Sql, sql } from "@/lib/database/sql";
import type { ExpiryRule } from "@/lib/database/sweeper";

/** Nobody came back from the provider. */
export const expiredAttempts: ExpiryRule = { table: "link_attempt", when: sql`expires_at < now() - interval '1 hour'` };

/** A linked account that its owner removed so long ago, and of which nothing is left to give up. */
const isLongRemoved = sql`disconnected_at < now() - interval '30 days' AND erase_at IS NULL`;
/** The ids of these, for whoever holds on to them. */
export const longRemoved = sql`SELECT id FROM integration WHERE ${isLongRemoved}`;

/** What is kept no longer, once no app is told of it. @param held whether one of this id is held on to */
export const expiredAccounts = (held: (id: Sql) => Sql): ExpiryRule => ({
  table: "integration",
  when: sql`${isLongRemoved} AND NOT ${held(sql`integration.id`)}`,
});
