import type { AppActor } from "@/lib/actor";
import type { RawJson } from "@/lib/api-operation";
import { empty, type Sql, sql } from "@/lib/database/sql";
import { recorded } from "@/lib/events/record-events";
import { newId } from "@/lib/ids";
import { batchedStatement } from "@/lib/requests/batched-statement";
import { type PageParams, pageReader, recordReader } from "@/lib/requests/pagination";
import { readInboxHints } from "./notification-display-hints";
import type { NewNotification } from "./schema";

/**
 * Adds an app's notification to the owner's feed. Resolves once it is stored. The display hints
 * `priority`, `expiresAt` and `dedupeKey` are also stored in columns.
 */
export async function pushNotification(app: AppActor, note: NewNotification): Promise<{ id: string }> {
  const id = newId("ntf");
  const { title, body = "", type = "general" } = note;
  const { priority, expiresAt, dedupeKey } = readInboxHints(note.data).extras;
  const pushed = { id, title, body, type, data: note.data ?? {}, urgent: priority === "urgent", expiresAt, dedupeKey };
  await (dedupeKey === undefined ? push : replace)(app, pushed);
  return { id };
}

type Push = Required<NewNotification> & {
  id: string;
  urgent: boolean;
  expiresAt: number | undefined;
  dedupeKey: string | undefined;
};
const pushing = (before: Sql) =>
  batchedStatement<Push, object>({
    announces: true,
    once: ({ dedupeKey }) => dedupeKey,
    fields: {
      id: "text",
      title: "text",
      body: "text",
      type: "text",
      data: "json",
      urgent: "boolean",
      expiresAt: "float8",
      dedupeKey: "text",
    },
    work: () => sql`
      ${before} made AS (
        INSERT INTO notification (
          id, owner_id, app_id, title, body, type, data, urgent, expires_at, dedupe_key
        )
        SELECT id, owner_id, app_id, title, body, type, data, urgent,
          to_timestamp("expiresAt" / 1000), "dedupeKey"
        FROM asked
        RETURNING owner_id, app_id, id
      ), ${recorded("notification.pushed", sql`made`)}, done AS MATERIALIZED (
        SELECT n
        FROM asked
      )`,
  });

const push = pushing(empty);
/**
 * Marks older notifications with the same key as replaced. Skips those that a concurrent call is
 * replacing, because the view shows only the newest one anyway.
 */
const replace = pushing(sql`
  replaced AS (
    UPDATE notification
    SET replaced_at = now()
    WHERE id IN (
      SELECT n.id
      FROM notification n JOIN asked r ON n.owner_id = r.owner_id AND n.app_id = r.app_id
      WHERE n.dedupe_key = r."dedupeKey"
        AND n.replaced_at IS NULL
        AND (n.created_at, n.id) < (now()::timestamptz(3), r.id)
      FOR UPDATE OF n SKIP LOCKED
    )
  ),`);

/** Reads one notification of the app. @throws {AppError} 404 */
export const getNotification = (app: AppActor, id: string): Promise<RawJson> => read(app, id);

/** Lists the app's notifications, newest first. @throws {AppError} 400 for an invalid cursor */
export const listNotifications = (
  app: AppActor,
  filter: PageParams & { type?: string | undefined },
): Promise<RawJson> => (filter.type === undefined ? listed(app, filter) : listedOfType(app, filter, filter.type));

const millis = sql`(date_part('epoch', a.created_at) * 1000)::bigint`;
const wire = sql`'{"_id":"' || a.id || '","_creationTime":' || ${millis} || ',"title":'
  || to_json(a.title) || ',"body":' || to_json(a.body) || ',"type":' || to_json(a.type)
  || ',"createdAt":' || ${millis} || ',"data":' || a.data || '}'`;
const pushed = { from: sql`notification a`, item: wire };
const read = recordReader("ntf", pushed);
const listed = pageReader({ ...pushed, where: sql`true` });
const listedOfType = pageReader({ ...pushed, where: sql`a.type = r.only` });
