import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import { ActivityFilter, type ActivityItem, type ActivityPage } from "./schema";
import { typesOf, wordsFor } from "./words";

const pageSize = 50;
/** What a page of an export holds. */
const exportSize = 500;

/** What happened with the owner's account, newest first, narrowed as asked. */
export async function readActivity(owner: OwnerActor, filter: ActivityFilter = {}): Promise<ActivityPage> {
  return page(owner, filter, pageSize);
}

/** All of it, newest first, so many at a time, as they are wanted. */
export async function* exportActivity(owner: OwnerActor, filter: ActivityFilter = {}): AsyncGenerator<ActivityItem[]> {
  let before = filter.before;
  do {
    const { items, next } = await page(owner, { ...filter, ...(before && { before }) }, exportSize);
    yield items;
    before = next;
  } while (before !== undefined);
}

/** Keyset paged by id. What is asked for becomes part of the statement's text, so that each has a plan of its own. */
async function page(owner: OwnerActor, filter: ActivityFilter, size: number): Promise<ActivityPage> {
  const { appId, kind, subject, from, to, before } = ActivityFilter.parse(filter);
  const values: string[] = [owner.ownerId];
  const given = (value: string) => `$${values.push(value)}`;
  const conditions = [
    kind && `e.type IN (${typesOf(kind).map(literal).join(", ")})`,
    // As the index of what is rare has it.
    kind && !busy.some((type) => typesOf(kind).includes(type)) && `e.type NOT IN (${busy.map(literal).join(", ")})`,
    appId && `e.app_id = ${given(appId)}`,
    subject && `e.subject = ${given(subject)}`,
    from && `e.created_at >= ${given(from)}::timestamp AT TIME ZONE 'UTC'`,
    to && `e.created_at < (${given(to)}::timestamp + interval '1 day') AT TIME ZONE 'UTC'`,
    before && `e.id < ${given(before)}::bigint`,
  ].filter(Boolean);
  const { rows } = await pool().query<Row>({
    text: `SELECT e.id::text, (extract(epoch FROM e.created_at) * 1000)::float8 AS at, e.type, e.subject, e.data, e.app_id,
        app.name, app.owner_id = $1 AND app.deleted_at IS NULL AS own, EXISTS (
          SELECT FROM app_grant g WHERE g.owner_id = $1 AND g.app_id = e.app_id AND g.revoked_at IS NULL
            AND (g.expires_at IS NULL OR g.expires_at > now()) AND app.deleted_at IS NULL) AS connected
      FROM event e LEFT JOIN app ON app.id = e.app_id
      WHERE ${["e.owner_id = $1", ...conditions].join(" AND ")}
      ORDER BY e.id DESC LIMIT ${size + 1}`,
    values,
  });
  const items = rows.slice(0, size).map(item);
  const last = items.at(-1);
  return { items, ...(rows.length > size && last && { next: last.id }) };
}

const literal = (type: string) => `'${type}'`;

/** The types that are not in the index of what is rare. */
const busy = ["approval.submitted", "approval.resolved", "notification.pushed", "notification.read"];

type Row = {
  id: string;
  at: number;
  type: string;
  subject: string;
  data: Record<string, unknown>;
  app_id: string | null;
  name: string | null;
  own: boolean | null;
  connected: boolean;
};

function item(row: Row): ActivityItem {
  const { kind, by, says } = wordsFor(row.type);
  const href = pageOf(row);
  return {
    ...{ id: row.id, at: row.at, type: row.type, kind, subject: row.subject },
    actor: typeof by === "function" ? by(row.data) : by,
    ...(row.app_id !== null && { app: { appId: row.app_id, name: row.name ?? "An app" } }),
    sentence: typeof says === "function" ? says(row.data) : says,
    facts: factsOf(row.data),
    ...(href && { href }),
  };
}

/** The page of what it concerns, while there is one. */
function pageOf({ type, subject, app_id, connected, own }: Row): string | undefined {
  switch (wordsFor(type).about) {
    case "approval":
      return `/approvals/${subject}`;
    case "notifications":
      return app_id === null ? "/notifications" : `/notifications?app=${app_id}`;
    case "app":
      return connected ? `/apps/${app_id}` : undefined;
    case "registration":
      return own ? `/developer/${app_id}` : undefined;
    case "integrations":
      return "/integrations";
    case "settings":
      return "/settings";
    default:
      return undefined;
  }
}

/** What of an event's data its sentence may leave out: names of scopes, statuses, the end of a token. */
function factsOf({ scopes, added, removed, status, operation, token }: Record<string, unknown>): string[] {
  const names = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return [
    ...names(scopes),
    ...names(added),
    ...names(removed).map((name) => `no longer ${name}`),
    ...(typeof status === "number" ? [String(status)] : []),
    ...(typeof operation === "string" ? [operation] : []),
    ...(typeof token === "string" ? [`token …${token}`] : []),
  ];
}
