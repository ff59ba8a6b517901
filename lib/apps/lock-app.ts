import type { OwnerActor } from "@/lib/actor";
import { empty, type Sql, sql } from "@/lib/database/sql";
import { AppError, notFound } from "@/lib/errors";
import type { Change } from "@/lib/events/change-transaction";
import { type DeclaredScopes, readDeclared } from "./schema";

/** The columns of an app row locked FOR SHARE. */
export type LockedApp = { redirectUris: string[]; declaredScopes: DeclaredScopes };

/**
 * Locks an app, so that a concurrent deletion can't leave it with a live grant.
 * @throws {AppError} 404 if the app does not exist or is deleted
 */
export async function lockApp(tx: Change, id: string): Promise<LockedApp> {
  const app = await hold(tx, id);
  if (!app) throw notFound();
  return app;
}

/**
 * Locks an app that the owner registered or connected.
 * @throws {AppError} 404 for any other app, whether or not it exists
 */
export async function lockOwnApp(tx: Change, { ownerId }: OwnerActor, id: string): Promise<void> {
  const letIn = sql`EXISTS (
    SELECT FROM live_grant g WHERE g.app_id = app.id AND g.owner_id = ${ownerId}
  )`;
  const app = await hold(tx, id, sql`AND kind <> 'test' AND (owner_id = ${ownerId} OR ${letIn})`);
  if (!app) throw new AppError(404, "You have no app with this client ID");
}

async function hold(tx: Change, id: string, which: Sql = empty): Promise<LockedApp | undefined> {
  const app = await sql<LockedApp>`
    SELECT redirect_uris AS "redirectUris", declared_scopes AS "declaredScopes"
    FROM app
    WHERE id = ${id} AND deleted_at IS NULL ${which}
    FOR SHARE OF app`.row(tx);
  return app && { ...app, declaredScopes: readDeclared(app.declaredScopes) };
}

/** Reads a locked app and the owner who registered it. */
export const readHeld = (tx: Change, id: string) =>
  tx.app.findUniqueOrThrow({ where: { id }, include: { owner: true } });

/** Serializes changes to an app's data, so that a second change sees the result of the first. */
export const lockAppForUpdate = (tx: Change, id: string) =>
  sql`SELECT FROM app WHERE id = ${id} FOR NO KEY UPDATE`.run(tx);
