import { deletedApps } from "@/lib/apps/spent";
import { sql } from "@/lib/sql";
import type { ExpiryRule } from "@/lib/sweeper";

/** What is kept no longer. */
export const spent: readonly ExpiryRule[] = [
  { table: "webhook_delivery", when: sql`ended_at < now() - interval '7 days'` },
  { table: "webhook_secret", when: sql`retires_at < now()` },
  {
    table: "webhook_endpoint",
    when: sql`app_id IN (${deletedApps})
      AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = webhook_endpoint.id)`,
  },
];
