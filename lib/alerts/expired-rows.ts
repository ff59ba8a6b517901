import { sql } from "@/lib/database/sql";
import type { ExpiryRule } from "@/lib/database/sweeper";

/** What is kept no longer. */
export const expiredRows: readonly ExpiryRule[] = [
  { table: "push_subscription", when: sql`last_seen_at < now() - interval '60 days'` },
  { table: "alert", when: sql`closed_at < now() - interval '2 days'` },
  // What it answered can be taken back for half a minute more.
  { table: "answer_link", when: sql`expires_at < now() - interval '1 hour'` },
];
