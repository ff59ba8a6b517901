import { env } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { unauthorized } from "@/lib/errors";
import { hashSecret, isSecret, newSecret } from "@/lib/keys/crypto";
import { newId } from "@/lib/keys/ids";
import type { AuthMethod, ClientMetadata } from "./client-metadata";
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
type Manager = { clientId: string; token: string };

/**
 * @throws {Unauthorized} unless the token belongs to the registration, including when that was
 *   deleted
 */
export async function readRegistration(manager: Manager) {
  const { clientId, token } = manager;
  // A malformed token costs no database query.
  if (!isSecret(token, ["rat"])) throw unauthorized();
  const registrationTokenHash = hashSecret(token) as Uint8Array<ArrayBuffer>;
  const row = await db.app.findFirst({
    where: { id: clientId, registrationTokenHash, kind: "dynamic", deletedAt: null },
  });
  if (!row) throw unauthorized();
  const { token_endpoint_auth_method, ...echoed } = row.clientMetadata as Record<string, string | string[]>;
  const metadata = {
    name: row.name,
    redirectUris: row.redirectUris,
    grantTypes: row.grantTypes,
    echoed,
    authMethod: token_endpoint_auth_method as AuthMethod,
  };
  return information({ ...manager, createdAt: row.createdAt, metadata, secret: undefined });
}

type RegistrationFacts = Manager & { createdAt: Date; metadata: ClientMetadata; secret: string | undefined };

/**
 * A registration's response (RFC 7591 section 3.2.1, RFC 7592 section 3). Includes secrets only
 * when they were just created.
 */
const information = ({ clientId, createdAt, metadata, token, secret }: RegistrationFacts) => ({
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
