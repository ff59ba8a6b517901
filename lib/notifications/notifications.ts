import { act } from "@/lib/access/admission";
import { one, type Page, page } from "@/lib/access/page";
import type { AppActor } from "@/lib/actor";
import { recorded } from "@/lib/events/events";
import { newId } from "@/lib/keys/ids";
import type { Wire } from "@/lib/operation";
import { empty, sql } from "@/lib/sql";
import { inboxExtras } from "./extras";
import type { NewNotification } from "./schema";

/** Put a notification into the owner's feed. Durable when it returns. What its data asks of the feed stands beside it. */
export async function pushNotification(app: AppActor, note: NewNotification): Promise<{ id: string }> {
  const id = newId("ntf");
  const { priority, expiresAt, dedupeKey } = inboxExtras(note.data).extras;
  await act(app, {
    announces: true,
    work: sql`${dedupeKey === undefined ? empty : replaced(id, dedupeKey)} made AS (
      INSERT INTO notification (id, owner_id, app_id, title, body, type, data, urgent, expires_at, dedupe_key)
      SELECT ${id}, c.owner_id, c.app_id, ${note.title}, ${note.body ?? ""}, ${note.type ?? "general"}, ${JSON.stringify(note.data ?? {})}::json,
        ${priority === "urgent"}, to_timestamp(${expiresAt ?? null}::float8 / 1000), ${dedupeKey ?? null}
      FROM caller c RETURNING owner_id, app_id, id
    ), ${recorded("notification.pushed", sql`made`)}`,
  });
  return { id };
}

/** What another push is replacing at this moment is left to it, so that nobody waits; the view knows the newest in any case. */
const replaced = (id: string, dedupeKey: string) => sql`replaced AS (
  UPDATE notification SET replaced_at = now() WHERE id IN (
    SELECT n.id FROM notification n JOIN caller c ON n.owner_id = c.owner_id AND n.app_id = c.app_id
    WHERE n.dedupe_key = ${dedupeKey} AND n.replaced_at IS NULL AND (n.created_at, n.id) < (now()::timestamptz(3), ${id}) FOR UPDATE OF n SKIP LOCKED)
),`;

/** One notification that the app pushed. @throws {AppError} 404 */
export const getNotification = (app: AppActor, id: string): Promise<Wire> => one(app, "ntf", id, pushed);

/** What the app has pushed, newest first. @throws {AppError} 400 for a cursor that is not one of ours */
export const listNotifications = (app: AppActor, filter: Page & { type?: string | undefined }): Promise<Wire> =>
  page(app, filter, {
    ...pushed,
    where: filter.type === undefined ? sql`true` : sql`a.type = ${filter.type}`,
  });

const millis = sql`(date_part('epoch', a.created_at) * 1000)::bigint`;
const wire = sql`'{"_id":"' || a.id || '","_creationTime":' || ${millis} || ',"title":' || to_json(a.title) || ',"body":' || to_json(a.body)
  || ',"type":' || to_json(a.type) || ',"createdAt":' || ${millis} || ',"data":' || a.data || '}'`;
const pushed = { from: sql`notification a`, item: wire };
