import type { AppActor } from "@/lib/actor";
import { notFound } from "@/lib/errors";
import { act } from "@/lib/grants/admission";
import { type Page, page } from "@/lib/grants/page";
import { isId, newId } from "@/lib/ids";
import { Wire } from "@/lib/operation";
import type { NewNotification } from "./schema";

/** Put a notification into the owner's feed. Durable when it returns. */
export async function pushNotification(app: AppActor, note: NewNotification): Promise<{ id: string }> {
  const id = newId("ntf");
  await act(app, {
    name: "push-notification",
    tells: true,
    work: `made AS (
      INSERT INTO notification (id, owner_id, app_id, title, body, type, data)
      SELECT $3, c.owner_id, c.app_id, $4, $5, $6, $7::json FROM caller c RETURNING owner_id, app_id, id
    ), told AS (
      INSERT INTO event (owner_id, app_id, type, subject) SELECT owner_id, app_id, 'notification.pushed', id FROM made
    )`,
    values: [id, note.title, note.body ?? "", note.type ?? "general", JSON.stringify(note.data ?? {})],
  });
  return { id };
}

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
  || ',"type":"' || a.type || '","createdAt":' || ${millis} || ',"data":' || a.data || '}'`;
