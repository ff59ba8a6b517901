import type { OwnerActor } from "@/lib/actor";
import { appName } from "@/lib/apps/app-sql-for-other-domains";
import type { ExpiryRule } from "@/lib/database/expired-row-sweeper";
import { epochMs, sql } from "@/lib/database/sql";
import { everConnected } from "@/lib/grants/connected-and-former-apps";
import type { ApiRequest, ApiRequestPage, RequestFilter } from "@/lib/grants/schema";
import { firstPage } from "@/lib/text/record-search";

const pageSize = 50;

/** Rows to delete after they expire. */
export const spentRequests: ExpiryRule = {
  table: "api_request",
  when: sql`created_at < now() - interval '7 days'`,
};

/**
 * Returns apps' API requests on this owner's account in the last seven days, newest first, 50 per
 * page.
 */
export async function listRequests({ ownerId }: OwnerActor, filter: RequestFilter = {}): Promise<ApiRequestPage> {
  const { appId, refused = false, before } = filter;
  const found = await sql<ApiRequest>`
    SELECT r.id, ${epochMs("r.created_at")} AS at, r.method, r.path, r.status, r.ms, r.warnings,
      r.more, json_build_object('appId', r.app_id, 'name', ${appName(sql`r.app_id`)}) AS app
    FROM api_request r
    WHERE r.owner_id = ${ownerId}
      AND r.created_at > now() - interval '7 days'
      AND (${appId ?? null}::text IS NULL OR r.app_id = ${appId ?? null})
      AND (NOT ${refused}::boolean OR r.status BETWEEN 400 AND 499)
      AND (
        ${before ?? null}::text IS NULL
        OR (r.created_at, r.id) < (
          SELECT c.created_at, c.id
          FROM api_request c
          WHERE c.owner_id = ${ownerId} AND c.id = ${before ?? null}
        )
      )
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${pageSize + 1}`.rows();
  return firstPage(found, pageSize);
}

/** Returns the apps that sent requests in the last seven days, by name. */
export const requestingApps = ({ ownerId }: OwnerActor) =>
  sql<{ appId: string; name: string }>`
    SELECT known.*
    FROM (${everConnected(ownerId)}) AS known
    WHERE EXISTS (
      SELECT FROM api_request r
      WHERE r.owner_id = ${ownerId}
        AND r.app_id = known."appId"
        AND r.created_at > now() - interval '7 days'
    )
    ORDER BY name, "appId"`.rows();
