import { deletedApps } from "@/lib/apps/expiry-rules";
import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { sql } from "@/lib/database/sql";

/** Rows to delete after they expire. */
export const expiryRules: readonly ExpiryRule[] = [
  { table: "webhook_delivery", when: sql`ended_at < now() - interval '7 days'` },
  { table: "webhook_secret", when: sql`retires_at < now()` },
  {
    table: "webhook_endpoint",
    when: sql`app_id IN (${deletedApps})
      AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = webhook_endpoint.id)`,
  },
];
