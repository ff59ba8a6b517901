import { sql } from "@/lib/database/sql";
import type { ExpiryRule } from "@/lib/database/sweeper";

/** Expired rows of this domain. */
export const expiredRows: readonly ExpiryRule[] = [
  { table: "push_subscription", when: sql`last_seen_at < now() - interval '60 days'` },
  { table: "alert", when: sql`closed_at < now() - interval '2 days'` },
  // An answer by link can be undone for up to half a minute more.
  { table: "answer_link", when: sql`expires_at < now() - interval '1 hour'` },
];
