import { act } from "@/lib/access/admission";
import { type Page, page } from "@/lib/access/page";
import type { AppActor } from "@/lib/actor";
import { notFound } from "@/lib/errors";
import { isId, newId } from "@/lib/keys/ids";
import { Wire } from "@/lib/operation";
import { inboxExtras } from "./extras";
import type { NewNotification } from "./schema";

/** Put a notification into the owner's feed. Durable when it returns. What its data asks of the feed stands beside it. */
export async function pushNotification(app: AppActor, note: NewNotification): Promise<{ id: string }> {
  const id = newId("ntf");
  const { priority, expiresAt, dedupeKey } = inboxExtras(note.data).extras;
  const replaces = dedupeKey !== undefined;
  await act(app, {
    name: replaces ? "push-notification-again" : "push-notification",
    tells: true,
    work: `${replaces ? replaced : ""} made AS (
      INSERT INTO notification (id, owner_id, app_id, title, body, type, data, urgent, expires_at${replaces ? ", dedupe_key" : ""})
      SELECT $3, c.owner_id, c.app_id, $4, $5, $6, $7::json, $8, to_timestamp($9::float8 / 1000)${replaces ? ", $10" : ""}
      FROM caller c RETURNING owner_id, app_id, id
    ), told AS (
      INSERT INTO event (owner_id, app_id, type, subject) SELECT owner_id, app_id, 'notification.pushed', id FROM made
    )`,
    values: [
      ...[id, note.title, note.body ?? "", note.type ?? "general", JSON.stringify(note.data ?? {})],
      ...[priority === "urgent", expiresAt ?? null, ...(replaces ? [dedupeKey] : [])],
    ],
  });
  return { id };
}

/** What another push is replacing at this moment is left to it, so that nobody waits; the view knows the newest in any case. */
const replaced = `replaced AS (
  UPDATE notification SET replaced_at = now() WHERE id IN (
    SELECT n.id FROM notification n JOIN caller c ON n.owner_id = c.owner_id AND n.app_id = c.app_id
    WHERE n.dedupe_key = $10 AND n.replaced_at IS NULL AND (n.created_at, n.id) < (now()::timestamptz(3), $3) FOR UPDATE OF n SKIP LOCKED)
),`;

/** One notification that the app pushed. @throws {AppError} 404 */
export async function getNotification(app: AppActor, id: string): Promise<Wire> {
  const { found } = await act<{ found: string | null }>(app, {
    name: "get-notification",
    result: `(SELECT ${wire} FROM notification a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id WHERE a.id = $3) AS found`,
    values: [isId("ntf", id) ? id : ""],
  });
  if (found === null) throw notFound();
  return new Wire(found);
}

/** What the app has pushed, newest first. @throws {AppError} 400 for a cursor that is not one of ours */
export const listNotifications = (app: AppActor, filter: Page & { type?: string | undefined }): Promise<Wire> =>
  page(app, filter, {
    name: `list-notifications-${filter.type === undefined ? "all" : "type"}`,
    from: "notification a",
    where: filter.type === undefined ? "true" : "a.type = $5",
    item: wire,
    values: filter.type === undefined ? [] : [filter.type],
  });

const millis = "(date_part('epoch', a.created_at) * 1000)::bigint";
const wire = `'{"_id":"' || a.id || '","_creationTime":' || ${millis} || ',"title":' || to_json(a.title) || ',"body":' || to_json(a.body)
  || ',"type":' || to_json(a.type) || ',"createdAt":' || ${millis} || ',"data":' || a.data || '}'`;
