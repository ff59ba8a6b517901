import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { sql } from "@/lib/database/sql";

export const expiryRules: readonly ExpiryRule[] = [
  { table: "push_subscription", when: sql`last_seen_at < now() - interval '60 days'` },
  { table: "alert", when: sql`closed_at < now() - interval '2 days'` },
  // Expired links are kept for a while, because an answer can still be undone for half a minute.
  { table: "answer_link", when: sql`expires_at < now() - interval '1 hour'` },
];
