import { runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { RawJson } from "@/lib/api-operation";
import { sql } from "@/lib/database/sql";

/**
 * Returns the linked accounts that the owner shares with this app, oldest first. A removed account
 * stays visible for 30 days, so that the app can tell it from an unknown one. Columns are listed
 * explicitly, so that credentials can't leak.
 */
export async function listIntegrations(app: AppActor): Promise<RawJson> {
  const { items } = await runAuthorized<{ items: string | null }>(app, {
    result: sql`(
      SELECT string_agg(
        json_build_object(
          'id', i.id, 'provider', i.provider, 'status', i.status, 'email', i.email,
          'buckets', (
            SELECT coalesce(json_agg(b ORDER BY b COLLATE "C"), '[]') FROM unnest(i.buckets) AS b
          )
        )::text, ',' ORDER BY i.created_at, i.id
      )
      FROM caller c
        JOIN shared_account s ON s.grant_id = c.grant_id
        JOIN integration i ON i.id = s.integration_id AND i.owner_id = c.owner_id
      WHERE i.disconnected_at IS NULL OR i.disconnected_at > now() - interval '30 days'
    ) AS items`,
  });
  return new RawJson(`{"data":[${items ?? ""}]}`);
}
