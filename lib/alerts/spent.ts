import { sql } from "@/lib/sql";
import type { Spent } from "@/lib/sweep";

/** What is kept no longer. */
export const spent: readonly Spent[] = [
  { table: "push_subscription", when: sql`last_seen_at < now() - interval '60 days'` },
  { table: "alert", when: sql`closed_at < now() - interval '2 days'` },
];
