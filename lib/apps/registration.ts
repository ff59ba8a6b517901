import { env } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { unauthorized } from "@/lib/errors";
import type { Change } from "@/lib/events/change";
import { constantTimeEqual, hashSecret, isSecret, newSecret } from "@/lib/keys/crypto";
import { newId } from "@/lib/keys/ids";
import { type AuthMethod, type ClientMetadata, objectOf, readClientMetadata, wrong } from "./client-metadata";
import { nameSkeletons } from "./names";

/**
 * Registers a client at its own request. It has no owner; if no owner connects it, it is deleted
 * after a day.
 */
export async function registerClient(metadata: ClientMetadata) {
  const clientId = newId("app");
  const token = newSecret("rat");
  const secret = secretFor(metadata);
  const { nameSkeleton, nameFolded } = nameSkeletons(metadata.name);
  const { created_at } = (await sql<{ created_at: Date }>`
    INSERT INTO app (
      id, kind, name, name_skeleton, name_folded, redirect_uris, grant_types, client_metadata,
      secret_hash, secret_last4, registration_token_hash
    )
    VALUES (
      ${clientId}, 'dynamic', ${metadata.name}, ${nameSkeleton}, ${nameFolded},
      ${metadata.redirectUris}, ${metadata.grantTypes}, ${kept(metadata)}::json,
      ${secret ? hashSecret(secret) : null}, ${secret?.slice(-4) ?? null}, ${hashSecret(token)}
    )
    RETURNING created_at`.row())!;
  return information({ clientId, createdAt: created_at, metadata, token, secret });
}

const secretFor = ({ authMethod }: ClientMetadata) => (authMethod === "none" ? undefined : newSecret("cs"));

const kept = ({ authMethod, echoed }: ClientMetadata) =>
  JSON.stringify({ ...echoed, token_endpoint_auth_method: authMethod });

/** A registration's credentials: its ID and its registration access token. */
export type Manager = { clientId: string; token: string };

/**
 * @throws {Unauthorized} unless the token belongs to the registration, including when that was
 *   deleted
 */
export async function readRegistration(manager: Manager) {
  const row = await db.app.findFirst({ where: managed(manager) });
  if (!row) throw unauthorized();
  const { token_endpoint_auth_method, ...echoed } = row.clientMetadata as Record<string, string | string[]>;
  const metadata = {
    name: row.name,
    redirectUris: row.redirectUris,
    grantTypes: row.grantTypes,
    echoed,
    authMethod: token_endpoint_auth_method as AuthMethod,
  };
  return information({ clientId: row.id, createdAt: row.createdAt, metadata, token: manager.token, secret: undefined });
}

/** @throws {Unauthorized} for a malformed token, without a database query */
function managed({ clientId, token }: Manager) {
  if (!isSecret(token, ["rat"])) throw unauthorized();
  const registrationTokenHash = hashSecret(token) as Uint8Array<ArrayBuffer>;
  return { id: clientId, registrationTokenHash, kind: "dynamic", deletedAt: null };
}

/**
 * Replaces a registration (RFC 7592 section 2.2). A client that starts to authenticate gets a
 * secret; one that stops loses it. A name that an owner accepted is kept while that grant is live.
 * @throws {Unauthorized} as readRegistration
 * @throws {RegistrationError} naming the problem
 */
export async function replaceRegistration(manager: Manager, input: unknown) {
  const where = managed(manager);
  if (!(await db.app.findFirst({ where, select: { id: true } }))) throw unauthorized();
  const members = objectOf(input);
  if (members.client_id !== manager.clientId) throw wrong("client_id must match the registration");
  const metadata = readClientMetadata(members);
  return db.$transaction(async (tx) => {
    const current = await sql<Current>`
      SELECT name, created_at, secret_hash
      FROM app
      WHERE id = ${where.id}
        AND registration_token_hash = ${where.registrationTokenHash}
        AND deleted_at IS NULL
      FOR UPDATE`.row(tx);
    if (!current) throw unauthorized();
    // A separate statement, so that it sees grants added while the row lock was awaited.
    const letIn = await sql`SELECT FROM live_grant WHERE app_id = ${where.id} LIMIT 1`.row(tx);
    const { client_secret: shown } = members;
    if (typeof shown === "string" && !isHashOf(current.secret_hash, shown)) throw wrong("client_secret does not match");
    const now = { ...metadata, ...(letIn && { name: current.name }) };
    const secret = current.secret_hash === null ? secretFor(metadata) : undefined;
    const ends = metadata.authMethod === "none";
    const data = {
      name: now.name,
      ...nameSkeletons(now.name),
      redirectUris: now.redirectUris,
      grantTypes: now.grantTypes,
      clientMetadata: JSON.parse(kept(now)) as object,
      ...(ends && { secretHash: null, secretLast4: null }),
      ...(secret && { secretHash: hashSecret(secret) as Uint8Array<ArrayBuffer>, secretLast4: secret.slice(-4) }),
    };
    await tx.app.update({ where: { id: where.id }, data });
    return information({ ...manager, createdAt: current.created_at, metadata: now, secret });
  });
}

type Current = { name: string; created_at: Date; secret_hash: Uint8Array | null };

const isHashOf = (hash: Uint8Array | null, secret: string) =>
  hash !== null && constantTimeEqual(Buffer.from(hash).toString("hex"), hashSecret(secret).toString("hex"));

/**
 * Deletes a registration, as one step of `deleteRegistration`.
 * @throws {Unauthorized} as readRegistration
 */
export async function closeRegistration(tx: Change, manager: Manager): Promise<void> {
  const where = managed(manager);
  const closed = await sql`
    UPDATE app
    SET deleted_at = now()
    WHERE id = ${where.id}
      AND registration_token_hash = ${where.registrationTokenHash}
      AND deleted_at IS NULL`.run(tx);
  if (closed === 0) throw unauthorized();
}

type Told = Manager & { createdAt: Date; metadata: ClientMetadata; secret: string | undefined };

/**
 * A registration's response (RFC 7591 section 3.2.1, RFC 7592 section 3). Includes secrets only
 * when they were just created.
 */
const information = ({ clientId, createdAt, metadata, token, secret }: Told) => ({
  ...metadata.echoed,
  client_id: clientId,
  client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
  // 0: never expires.
  ...(secret && { client_secret: secret, client_secret_expires_at: 0 as const }),
  registration_access_token: token,
  registration_client_uri: `${env().publicUrl}/oauth/register/${clientId}`,
  client_name: metadata.name,
  redirect_uris: metadata.redirectUris,
  grant_types: metadata.grantTypes,
  response_types: metadata.grantTypes.includes("authorization_code") ? ["code"] : [],
  token_endpoint_auth_method: metadata.authMethod,
});
