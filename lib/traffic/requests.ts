import type { OwnerActor } from "@/lib/actor";
import type { ApiRequestPage, RequestFilter } from "@/lib/grants/schema";
import { rows, sql } from "@/lib/sql";

const pageSize = 50;

/** What apps asked of the API on this owner's account in the last seven days, latest first, 50 at a time. */
export async function listRequests({ ownerId }: OwnerActor, filter: RequestFilter = {}): Promise<ApiRequestPage> {
  const { appId, refused = false, before } = filter;
  const found = await rows<RequestRow>(
    sql`SELECT r.id, (extract(epoch FROM r.created_at) * 1000)::float8 AS at, r.app_id, app.name, r.method, r.path, r.status,
        r.ms, r.warnings, r.more
      FROM api_request r JOIN app ON app.id = r.app_id
      WHERE r.owner_id = ${ownerId} AND r.created_at > now() - interval '7 days'
        AND (${appId ?? null}::text IS NULL OR r.app_id = ${appId ?? null})
        AND (NOT ${refused}::boolean OR r.status BETWEEN 400 AND 499)
        AND (${before ?? null}::text IS NULL OR (r.created_at, r.id) < (SELECT c.created_at, c.id FROM api_request c
          WHERE c.owner_id = ${ownerId} AND c.id = ${before ?? null}))
      ORDER BY r.created_at DESC, r.id DESC LIMIT ${pageSize + 1}`,
  );
  const items = found.slice(0, pageSize).map(({ app_id, name, ...row }) => ({ ...row, app: { appId: app_id, name } }));
  const last = items.at(-1);
  return { items, ...(found.length > pageSize && last && { next: last.id }) };
}

type RequestRow = {
  id: string;
  at: number;
  app_id: string;
  name: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  warnings: string[];
  more: number;
};

/** The apps that are in that list, by name. */
export const requestingApps = ({ ownerId }: OwnerActor): Promise<{ appId: string; name: string }[]> =>
  rows(sql`SELECT app.id AS "appId", app.name FROM app
    WHERE app.id IN (SELECT g.app_id FROM app_grant g WHERE g.owner_id = ${ownerId}) AND EXISTS (
      SELECT FROM api_request r WHERE r.owner_id = ${ownerId} AND r.app_id = app.id AND r.created_at > now() - interval '7 days')
    ORDER BY app.name, app.id`);
