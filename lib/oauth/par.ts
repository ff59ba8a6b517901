import type { Client } from "@/lib/apps/apps";
import { sql } from "@/lib/database/sql";
import { AppError } from "@/lib/errors";
import { hashSecret, isSecret, newSecret } from "@/lib/keys/crypto";
import { consumeAttempt } from "@/lib/owners/attempt-limiter";
import { Returned, readAuthorization } from "./authorize";
import { authenticateClient, clientAddressOf, TokenError } from "./client-authentication";
import { formEndpoint, optionalParam } from "./form-endpoint";

/** Rate limit per address. Each request stores a row, and public clients prove nothing. */
const requests = { max: 300, seconds: 300 };

/** Lifetime of a pushed request, in seconds. */
const waitSeconds = 90;
const prefix = "urn:ietf:params:oauth:request_uri:";

/**
 * POST /oauth/par (RFC 9126): an app submits its authorization request directly, so no one can
 * change it in the browser. The request is validated here, with errors as JSON.
 */
export const parEndpoint = formEndpoint(async (request, form) => {
  const client = await authenticateClient(request, form);
  if (optionalParam(form, "request_uri") !== undefined)
    throw new TokenError("invalid_request", "request_uri cannot be pushed");
  const asker = clientAddressOf(request);
  await consumeAttempt("par", asker, requests, "Too many requests from your address. Wait five minutes");
  const parameters = await checked(client, form, asker);
  const handle = newSecret("ru");
  await sql`
    INSERT INTO pushed_request (hash, app_id, parameters, expires_at)
    VALUES (
      ${hashSecret(handle)}, ${client.clientId}, ${parameters.toString()},
      now() + make_interval(secs => ${waitSeconds})
    )`.run();
  return { status: 201, body: { request_uri: `${prefix}${handle}`, expires_in: waitSeconds } };
});

/** The known parameters of the form, as they are stored. */
async function checked({ clientId }: Client, form: URLSearchParams, asker: string): Promise<URLSearchParams> {
  const asked = new URLSearchParams(form);
  asked.set("client_id", clientId);
  try {
    const { redirectUri, state, scopes, codeChallenge } = await readAuthorization(asked, asker);
    const resource = optionalParam(form, "resource");
    return new URLSearchParams({
      client_id: clientId,
      response_type: "code",
      redirect_uri: redirectUri,
      scope: scopes.join(" "),
      code_challenge: codeChallenge,
      code_challenge_method: "S256",
      ...(state !== undefined && { state }),
      ...(resource !== undefined && { resource }),
      ...(optionalParam(form, "prompt") === "none" && { prompt: "none" }),
    });
  } catch (error) {
    if (error instanceof Returned) throw new TokenError(error.code, error.description);
    if (error instanceof AppError && error.status === 400) throw new TokenError("invalid_request", error.message);
    throw error;
  }
}

/**
 * Reads a pushed request and consumes it.
 * @param client the app that sends the owner; it must have pushed the request
 * @throws {AppError} 400, to be shown, if the request is unknown, used or expired
 */
export async function consumePushedRequest(client: Client, requestUri: string): Promise<URLSearchParams> {
  const handle = requestUri.startsWith(prefix) ? requestUri.slice(prefix.length) : "";
  const found = isSecret(handle, ["ru"])
    ? await sql<{ parameters: string }>`
      UPDATE pushed_request
      SET used_at = now()
      WHERE hash = ${hashSecret(handle)}
        AND app_id = ${client.clientId}
        AND used_at IS NULL
        AND expires_at > now()
      RETURNING parameters`.row()
    : undefined;
  if (!found) throw new AppError(400, "The app's request was already used, or has expired. Start again from the app.");
  return new URLSearchParams(found.parameters);
}
