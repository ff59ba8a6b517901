import { sql } from "@/lib/sql";
import type { Spent } from "@/lib/sweep";

/** What is kept no longer. */
export const spent: readonly Spent[] = [{ table: "api_request", when: sql`created_at < now() - interval '7 days'` }];
