import { type Client, findClient } from "@/lib/apps/apps";
import { matchingSecret, recordSecretUse } from "@/lib/apps/client-secrets";
import { ipPrefix } from "@/lib/net/ip-prefix";
import type { ErrorCode } from "./authorization-request";

/**
 * Returns the caller's network for rate limits, from the address that the server reports. Empty if
 * unknown.
 */
export const clientAddressOf = (request: Request): string =>
  ipPrefix(request.headers.get("x-countersign-address") ?? "");

/** An error with RFC 6749's code (section 5.2). */
export class TokenError extends Error {
  constructor(
    readonly error:
      | ErrorCode
      | "invalid_client"
      | "invalid_grant"
      | "unsupported_grant_type"
      | "authorization_pending"
      | "slow_down"
      | "access_denied"
      | "expired_token"
      | "temporarily_unavailable"
      | "server_error",
    description: string,
    readonly status = 400,
    readonly headers: Record<string, string> = {},
  ) {
    super(description);
  }
}

const notAClient = (description = "Client authentication failed. Check the client ID and secret.") =>
  new TokenError("invalid_client", description, 401);

/**
 * Authenticates the app that calls an OAuth endpoint. A confidential app sends its secret by HTTP
 * Basic or in the form, never both. A public app sends only its client ID.
 * @throws {TokenError} invalid_client, invalid_request
 */
export async function authenticateClient(request: Request, form: URLSearchParams): Promise<Client> {
  const { clientId, secret } = presented(request.headers.get("authorization"), form);
  const client = await findClient(clientId, clientAddressOf(request));
  if (!client) throw notAClient();
  if (client.public) {
    if (secret !== undefined) throw notAClient();
    return client;
  }
  const which = secret === undefined ? undefined : matchingSecret(client, secret);
  if (!which) throw notAClient();
  await recordSecretUse(client, which);
  return client;
}

type Presented = { clientId: string; secret: string | undefined };

function presented(header: string | null, form: URLSearchParams): Presented {
  const named = form.get("client_id") || undefined;
  const secret = form.get("client_secret") || undefined;
  if (header === null) {
    if (named === undefined) throw notAClient("client_id is missing");
    return { clientId: named, secret };
  }
  if (secret !== undefined) throw new TokenError("invalid_request", "Use only one client authentication method");
  const basic = readBasic(header);
  if (named !== undefined && named !== basic.clientId) {
    throw new TokenError("invalid_request", "client_id differs from the client ID in the Authorization header");
  }
  return basic;
}

/**
 * Reads HTTP Basic credentials. The client ID and the secret are each form-encoded before they are
 * joined (RFC 6749 section 2.3.1). An empty password counts as no secret.
 */
function readBasic(header: string): Presented {
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(header)?.[1];
  const pair = encoded && /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString());
  if (!pair) throw notAClient("The Authorization header must use HTTP Basic");
  try {
    const [clientId = "", secret] = pair.slice(1).map((half) => decodeURIComponent(half.replaceAll("+", " ")));
    return { clientId, secret: secret || undefined };
  } catch {
    throw notAClient("The credentials in the Authorization header must be form-encoded");
  }
}
