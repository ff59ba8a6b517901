import type { OwnerActor } from "@/lib/actor";
import { empty, type Sql, sql } from "@/lib/database/sql";
import { AppError, notFound } from "@/lib/errors";
import type { Change } from "@/lib/events/change";
import { type DeclaredScopes, readDeclared } from "./schema";

/** What holds of an app for as long as it is held. */
export type LockedApp = { redirectUris: string[]; declaredScopes: DeclaredScopes };

/** Hold an app, so that one deleted at the same moment cannot be left with a live grant. @throws {AppError} 404 */
export async function lockApp(tx: Change, id: string): Promise<LockedApp> {
  const app = await hold(tx, id);
  if (!app) throw notFound();
  return app;
}

/** Hold an app that the owner registered or lets in. @throws {AppError} 404 for any other, there or not */
export async function lockOwnApp(tx: Change, { ownerId }: OwnerActor, id: string): Promise<void> {
  const letIn = sql`EXISTS (SELECT FROM live_grant g WHERE g.app_id = app.id AND g.owner_id = ${ownerId})`;
  const app = await hold(tx, id, sql`AND kind <> 'test' AND (owner_id = ${ownerId} OR ${letIn})`);
  if (!app) throw new AppError(404, "None of your apps has this client id");
}

async function hold(tx: Change, id: string, which: Sql = empty): Promise<LockedApp | undefined> {
  const app = await sql<LockedApp>`SELECT redirect_uris AS "redirectUris", declared_scopes AS "declaredScopes" FROM app
    WHERE id = ${id} AND deleted_at IS NULL ${which} FOR SHARE OF app`.row(tx);
  return app && { ...app, declaredScopes: readDeclared(app.declaredScopes) };
}

/** An app that is held, with who registered it. */
export const readHeld = (tx: Change, id: string) =>
  tx.app.findUniqueOrThrow({ where: { id }, include: { owner: true } });

/** Of two changes of what belongs to an app, the second sees what the first did. */
export const lockAppForUpdate = (tx: Change, id: string) =>
  sql`SELECT FROM app WHERE id = ${id} FOR NO KEY UPDATE`.run(tx);
