import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import type { ApiRequestPage, RequestFilter } from "@/lib/grants/schema";

const pageSize = 50;

/** What apps asked of the API on this owner's account in the last seven days, latest first, 50 at a time. */
export async function listRequests({ ownerId }: OwnerActor, filter: RequestFilter = {}): Promise<ApiRequestPage> {
  const { appId, refused = false, before } = filter;
  const { rows } = await pool().query<Row>({
    name: "list-requests-of-owner",
    text: `SELECT r.id, (extract(epoch FROM r.created_at) * 1000)::float8 AS at, r.app_id, app.name, r.method, r.path, r.status,
        r.ms, r.warnings, r.more
      FROM api_request r JOIN app ON app.id = r.app_id
      WHERE r.owner_id = $1 AND r.created_at > now() - interval '7 days' AND ($2::text IS NULL OR r.app_id = $2)
        AND (NOT $3::boolean OR r.status BETWEEN 400 AND 499)
        AND ($4::text IS NULL OR (r.created_at, r.id) < (SELECT c.created_at, c.id FROM api_request c WHERE c.owner_id = $1 AND c.id = $4))
      ORDER BY r.created_at DESC, r.id DESC LIMIT ${pageSize + 1}`,
    values: [ownerId, appId ?? null, refused, before ?? null],
  });
  const items = rows.slice(0, pageSize).map(({ app_id, name, ...row }) => ({ ...row, app: { appId: app_id, name } }));
  const last = items.at(-1);
  return { items, ...(rows.length > pageSize && last && { next: last.id }) };
}

type Row = {
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
export async function requestingApps({ ownerId }: OwnerActor): Promise<{ appId: string; name: string }[]> {
  const { rows } = await pool().query<{ appId: string; name: string }>({
    name: "requesting-apps",
    text: `SELECT app.id AS "appId", app.name FROM app
      WHERE app.id IN (SELECT g.app_id FROM app_grant g WHERE g.owner_id = $1) AND EXISTS (
        SELECT FROM api_request r WHERE r.owner_id = $1 AND r.app_id = app.id AND r.created_at > now() - interval '7 days')
      ORDER BY app.name, app.id`,
    values: [ownerId],
  });
  return rows;
}
