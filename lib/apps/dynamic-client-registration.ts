import { sql } from "@/lib/database/sql";
import { newId } from "@/lib/ids";
import { hashSecret, newServiceSecret } from "@/lib/keys/secret-tokens";
import { nameSkeletons } from "./app-name-checks";
import type { ClientMetadata } from "./client-metadata";

/**
 * Registers a client at its own request. The client has no owner, and is deleted after a day unless
 * an owner connects it.
 */
export async function registerClient(metadata: ClientMetadata) {
  const clientId = newId("app");
  const secret = secretFor(metadata);
  const { nameSkeleton, nameFolded } = nameSkeletons(metadata.name);
  const { created_at } = (await sql<{ created_at: Date }>`
    INSERT INTO app (
      id, kind, name, name_skeleton, name_folded, redirect_uris, grant_types, client_metadata,
      secret_hash, secret_last4
    )
    VALUES (
      ${clientId}, 'dynamic', ${metadata.name}, ${nameSkeleton}, ${nameFolded},
      ${metadata.redirectUris}, ${metadata.grantTypes}, ${kept(metadata)}::"json",
      ${secret ? hashSecret(secret) : null}, ${secret?.slice(-4) ?? null}
    )
    RETURNING created_at`.row())!;
  return information({ clientId, createdAt: created_at, metadata, secret });
}

const secretFor = ({ authMethod }: ClientMetadata) => (authMethod === "none" ? undefined : newServiceSecret("cs"));

const kept = ({ authMethod, echoed }: ClientMetadata) =>
  JSON.stringify({ ...echoed, token_endpoint_auth_method: authMethod });

type RegistrationFacts = { clientId: string; createdAt: Date; metadata: ClientMetadata; secret: string | undefined };

/** Returns the response to a registration (RFC 7591 section 3.2.1). */
const information = ({ clientId, createdAt, metadata, secret }: RegistrationFacts) => ({
  ...metadata.echoed,
  client_id: clientId,
  client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
  // 0 means that the secret never expires.
  ...(secret && { client_secret: secret, client_secret_expires_at: 0 as const }),
  client_name: metadata.name,
  redirect_uris: metadata.redirectUris,
  grant_types: metadata.grantTypes,
  response_types: metadata.grantTypes.includes("authorization_code") ? ["code"] : [],
  token_endpoint_auth_method: metadata.authMethod,
});
