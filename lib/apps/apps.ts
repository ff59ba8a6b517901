import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { AppError, notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import type { App } from "@/lib/generated/prisma/client";
import { newId } from "@/lib/ids";
import { hashSecret, newServiceSecret } from "@/lib/keys/secret-tokens";
import { keepAccount } from "@/lib/owners/account-locks";
import { validate } from "@/lib/text/validate";
import { nameSkeletons } from "./app-name-checks";
import { metadataApp } from "./metadata-documents";
import { isMetadataUrl } from "./metadata-url";
import { isNameFree } from "./name-conflicts";
import { type AppKind, DeclaredScopes, NewApp, RedirectUris, type RegisteredApp, readDeclared } from "./schema";

/*
 * Apps are registered by an owner (*manual*), by themselves (*dynamic*,
 * `dynamic-client-registration.ts`), by a document (*metadata*, `metadata-documents.ts`), or by the
 * service (*test*, `service-app.ts`). As `client_id`, `findClient` accepts our ID or a document's
 * URL; all other code uses only our ID. Dynamic and metadata apps have no owner and no events, and
 * are deleted after a day unless a table in `holdingApps` refers to them.
 */

/** The maximum number of manually registered apps per owner. */
export const maxApps = 100;

/**
 * Registers an app. A confidential app's secret is returned once and stored only as a hash.
 * @throws {AppError} 400 that names the problem; 409 if the owner has an app with the same or a
 * similar name (`isNameFree`), or has reached the limit of apps; 404 if the account was deleted
 */
export async function registerApp(
  owner: OwnerActor,
  input: NewApp,
): Promise<{ clientId: string; clientSecret?: string }> {
  const { ownerId } = owner;
  const { name, redirectUris, public: isPublic, declaredScopes } = validate(NewApp, input);
  const clientId = newId("app");
  const { nameSkeleton, nameFolded } = nameSkeletons(name);
  const clientSecret = isPublic ? undefined : newServiceSecret("cs");
  await change(owner, async (tx) => {
    await keepAccount(tx, ownerId);
    const secretHash = clientSecret ? hashSecret(clientSecret) : null;
    if ((await tx.app.count({ where: registeredBy(ownerId) })) >= maxApps) throw tooManyApps();
    if (!(await isNameFree(owner, name, { nameSkeleton, nameFolded }, tx))) throw nameTaken();
    const made = await sql`
      INSERT INTO app (
        id, owner_id, name, name_skeleton, name_folded, redirect_uris, secret_hash, secret_last4,
        declared_scopes
      )
      VALUES (
        ${clientId}, ${ownerId}, ${name}, ${nameSkeleton}, ${nameFolded}, ${redirectUris},
        ${secretHash}, ${clientSecret?.slice(-4) ?? null}, ${JSON.stringify(declaredScopes)}::jsonb
      )
      ON CONFLICT DO NOTHING`.run(tx);
    if (made === 0) throw nameTaken();
    await record(tx, { ownerId, appId: clientId, type: "app.registered", subject: clientId, data: { name } });
  });
  return { clientId, ...(clientSecret && { clientSecret }) };
}

const nameTaken = () => {
  const message =
    "You already have an app with this name or a similar name. Add a word to the new name, like your team’s name.";
  return new AppError(409, message, { details: [{ path: "name", message }] });
};

const tooManyApps = () =>
  new AppError(409, `You have reached the limit of ${maxApps} apps. Before you register another app, delete an app.`);

/**
 * Returns the filter for apps that the owner registered and may change. It excludes the service's
 * own app.
 */
const registeredBy = (ownerId: string, id?: string) => ({
  ownerId,
  kind: "manual",
  deletedAt: null,
  ...(id !== undefined && { id }),
});

/** Returns the apps that the owner registered, newest first. */
export const listApps = async ({ ownerId }: OwnerActor): Promise<RegisteredApp[]> =>
  (await db.app.findMany({ where: registeredBy(ownerId), orderBy: { id: "desc" } })).map((row) => asRegistered(row));

/** Returns an app that the owner registered. @throws {AppError} 404 if there is none */
export async function getApp({ ownerId }: OwnerActor, clientId: string): Promise<RegisteredApp> {
  const row = await db.app.findFirst({ where: registeredBy(ownerId, clientId) });
  if (!row) throw notFound();
  return asRegistered(row, await oldSecretLives(row));
}

/** Changes an app that the owner registered. @throws {AppError} 400, 404 */
export async function changeApp(
  owner: OwnerActor,
  clientId: string,
  { redirectUris }: { redirectUris: string[] },
): Promise<void> {
  const uris = validate(RedirectUris, redirectUris, ["redirectUris"]);
  await changeColumns(owner, clientId, { redirectUris: uris }, "redirect addresses");
}

/**
 * Replaces the scopes that the app declares.
 * @throws {AppError} 400 that names the scope, 404
 */
export async function declareScopes(owner: OwnerActor, clientId: string, declared: DeclaredScopes) {
  const declaredScopes = validate(DeclaredScopes, declared, ["declaredScopes"]);
  await changeColumns(owner, clientId, { declaredScopes }, "declared permissions");
}

type Columns = { redirectUris: string[] } | { declaredScopes: DeclaredScopes };

async function changeColumns({ ownerId }: OwnerActor, clientId: string, data: Columns, changed: string) {
  await change({ ownerId }, async (tx) => {
    const { count } = await tx.app.updateMany({ where: registeredBy(ownerId, clientId), data });
    if (count === 0) throw notFound();
    await record(tx, { ownerId, appId: clientId, type: "app.changed", subject: clientId, data: { changed } });
  });
}

/** Deletes an app that the owner registered, as one step of `deleteApp`. @throws {AppError} 404 */
export async function closeApp(tx: Change, ownerId: string, clientId: string): Promise<void> {
  const closed = await sql`
    UPDATE app
    SET deleted_at = now()
    WHERE id = ${clientId}
      AND owner_id = ${ownerId}
      AND kind = 'manual'
      AND deleted_at IS NULL`.run(tx);
  if (closed === 0) throw notFound();
  await record(tx, { ownerId, appId: clientId, type: "app.deleted", subject: clientId });
}

/**
 * An app with the fields that the authorization endpoints need. Never returned to a client, because
 * it contains the secret's hash.
 */
export type Client = RegisteredApp & {
  /** The ID of the app's owner. Null for self-registered and metadata apps. */
  ownerId: string | null;
  kind: AppKind;
  /** The app's allowed grant types, as named in RFC 7591. */
  grantTypes: string[];
  secretHash: Uint8Array | null;
  /** The previous secret's hash, while that secret still works. */
  oldSecretHash: Uint8Array | null;
};

/**
 * Returns the live app with this client_id: one of our IDs, or the URL of a client metadata
 * document. The document is fetched if no copy is stored or the copy has expired. The returned
 * `clientId` is always ours. Returns null if there is no such app, or its document is invalid.
 * @param asker the caller's address as in `ipPrefix`; absent for the operator
 * @throws {AppError} 429, 503
 */
export async function findClient(clientId: string, asker?: string): Promise<Client | null> {
  try {
    return await requireClient(clientId, asker);
  } catch (error) {
    if (error instanceof AppError && (error.status === 400 || error.status === 404)) return null;
    throw error;
  }
}

/**
 * Returns the same as `findClient`, but throws if there is no app.
 * @throws {AppError} 400 if the app's document is invalid, 404, 429, 503
 */
export async function requireClient(clientId: string, asker?: string): Promise<Client> {
  const id = isMetadataUrl(clientId) ? await metadataApp(clientId, asker) : clientId;
  const row = await db.app.findFirst({ where: { id, deletedAt: null, kind: { not: "test" } } });
  if (!row) throw notFound();
  // A lookup by our ID also refreshes the app from its document.
  if (row.metadataUrl !== null && id === clientId) return requireClient(row.metadataUrl, asker);
  return {
    ...asRegistered(row),
    ownerId: row.ownerId,
    kind: row.kind as AppKind,
    grantTypes: row.grantTypes,
    secretHash: row.secretHash,
    oldSecretHash: (await oldSecretLives(row)) ? row.oldSecretHash : null,
  };
}

/** Returns whether the previous secret still works, by the database's clock. */
async function oldSecretLives({ oldSecretUntil }: Pick<App, "oldSecretUntil">): Promise<boolean> {
  if (oldSecretUntil === null) return false;
  const { lives } = (await sql<{ lives: boolean }>`
    SELECT ${oldSecretUntil}::timestamptz > now() AS lives`.row())!;
  return lives;
}

const asRegistered = (row: App, oldLives = false): RegisteredApp => ({
  clientId: row.id,
  name: row.name,
  redirectUris: row.redirectUris,
  public: row.secretHash === null,
  ...(row.secretLast4 !== null && { secretLast4: row.secretLast4 }),
  ...(row.secretUsedAt && { secretUsedAt: row.secretUsedAt.getTime() }),
  ...(oldLives && { oldSecret: oldSecretOf(row) }),
  declaredScopes: readDeclared(row.declaredScopes),
  createdAt: row.createdAt.getTime(),
});

const oldSecretOf = ({ oldSecretLast4, oldSecretUntil, oldSecretUsedAt }: App) => ({
  last4: oldSecretLast4 ?? "",
  until: oldSecretUntil?.getTime() ?? 0,
  ...(oldSecretUsedAt && { usedAt: oldSecretUsedAt.getTime() }),
});
