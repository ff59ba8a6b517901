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
  const app = await hold(tx, id, sql`AND kind <> 'test'`);
  if (app && (app.ownerId === ownerId || (await isConnected(tx, ownerId, id)))) return;
  throw new AppError(404, "You have no app with this client ID");
}

const isConnected = (tx: Change, ownerId: string, id: string) =>
  sql`SELECT FROM live_grant WHERE owner_id = ${ownerId} AND app_id = ${id}`.row(tx);

async function hold(tx: Change, id: string, which: Sql = empty) {
  const app = await sql<LockedApp & { ownerId: string | null }>`
    SELECT redirect_uris AS "redirectUris", declared_scopes AS "declaredScopes",
      owner_id AS "ownerId"
    FROM app
    WHERE id = ${id} AND deleted_at IS NULL ${which}
    FOR SHARE`.row(tx);
  return app && { ...app, declaredScopes: readDeclared(app.declaredScopes) };
}

/** Reads a locked app. */
export const readHeld = (tx: Change, id: string) => tx.app.findUniqueOrThrow({ where: { id } });

/**
 * Serializes changes to an app's data, so that a second change sees the result of the first.
 * @throws {AppError} 404 unless the owner registered the app, which a concurrent deletion can end
 */
export async function lockAppForUpdate(tx: Change, { ownerId }: OwnerActor, id: string): Promise<void> {
  const app = await sql`
    SELECT
    FROM app
    WHERE id = ${id} AND owner_id = ${ownerId} AND deleted_at IS NULL
    FOR NO KEY UPDATE`.row(tx);
  if (!app) throw notFound();
}
