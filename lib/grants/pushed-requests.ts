import type { Client } from "@/lib/apps/apps";
import { hashSecret, isSecret, newSecret } from "@/lib/crypto";
import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { Returned, readAuthorization } from "./authorize";
import { authenticateClient, TokenError } from "./client-authentication";
import { formEndpoint, given } from "./form-endpoint";

/** How long a pushed request waits to be used, in seconds. */
const waitSeconds = 90;
const prefix = "urn:ietf:params:oauth:request_uri:";

/**
 * POST /oauth/par (RFC 9126): an app hands its authorization request over before it sends the owner, so that nobody on the
 * way can change it. It is checked now, and refused here in JSON.
 */
export const pushEndpoint = formEndpoint(async (request, form) => {
  const client = await authenticateClient(request, form);
  if (given(form, "request_uri") !== undefined) throw new TokenError("invalid_request", "request_uri cannot be pushed");
  const parameters = new URLSearchParams(form);
  parameters.delete("client_secret");
  parameters.set("client_id", client.clientId);
  await check(parameters);
  const handle = newSecret("ru");
  await pool().query({
    name: "push-request",
    text: `INSERT INTO pushed_request (hash, app_id, parameters, expires_at) VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
    values: [hashSecret(handle), client.clientId, parameters.toString(), waitSeconds],
  });
  return { status: 201, body: { request_uri: `${prefix}${handle}`, expires_in: waitSeconds } };
});

async function check(parameters: URLSearchParams) {
  try {
    await readAuthorization(parameters);
  } catch (error) {
    if (error instanceof Returned) throw new TokenError(error.code, error.description);
    if (error instanceof AppError && error.status === 400) throw new TokenError("invalid_request", error.message);
    throw error;
  }
}

/**
 * The request that an app pushed, used up by this.
 * @param client who sends the owner with it; it must be who pushed it
 * @throws {AppError} 400, to be shown, when there is no such request any more
 */
export async function takePushed(client: Client, requestUri: string): Promise<URLSearchParams> {
  const handle = requestUri.startsWith(prefix) ? requestUri.slice(prefix.length) : "";
  const { rows } = isSecret(handle, ["ru"])
    ? await pool().query<{ parameters: string }>({
        name: "take-pushed",
        text: `UPDATE pushed_request SET used_at = now()
          WHERE hash = $1 AND app_id = $2 AND used_at IS NULL AND expires_at > now() RETURNING parameters`,
        values: [hashSecret(handle), client.clientId],
      })
    : { rows: [] };
  const [found] = rows;
  if (!found) throw new AppError(400, "The app's request was used already, or is too old. Start again from the app.");
  return new URLSearchParams(found.parameters);
}
