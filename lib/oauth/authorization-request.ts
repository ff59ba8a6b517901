import { type Resource, resourceOf } from "@/lib/access/resource-indicator";
import { type Client, requireClient } from "@/lib/apps/apps";
import { redirectAllowed } from "@/lib/apps/redirect-uris";
import { env } from "@/lib/config/env";
import { AppError } from "@/lib/errors";
import { isScope, type Scope, scopeNames, sensitiveScopes } from "@/lib/scopes";

/*
 * The authorization flow: `authorization-request` validates a request, `consent` stores it until
 * the owner decides, `redeem-code` exchanges the code, `token-issuance` issues tokens, and
 * `refresh` rotates them. All tokens from one consent form a *family* and end together. An error
 * whose side effects must be committed is returned from the transaction and thrown afterwards.
 */

/** A valid authorization request. */
export type AuthorizationRequest = {
  client: Client;
  redirectUri: string;
  state: string | undefined;
  scopes: Scope[];
  codeChallenge: string;
  resource: Resource;
};

/** RFC 6749's error codes for an invalid authorization request. */
export type ErrorCode =
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "unauthorized_client"
  | "unsupported_response_type"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "registration_not_supported";

/**
 * Thrown for an invalid request from a known app with a registered redirect URI. The browser
 * returns the error to the app.
 */
export class Returned extends Error {
  constructor(
    readonly redirectTo: string,
    /** RFC 6749's error code. */
    readonly code: ErrorCode,
    readonly description: string,
  ) {
    super("The request goes back to the app");
  }
}

/**
 * Returns the error for an invalid request that can't be returned to an app. Only the person at the
 * browser sees it (RFC 6749 section 4.1.2.1).
 */
const stop = (message: string) => new AppError(400, message);

/**
 * Validates an authorization request (OAuth 2.1 section 4.1.1). The only supported flow is the code
 * flow with PKCE S256.
 * @param asker see findClient
 * @throws {AppError} 400 if the app or its redirect URI is invalid; show this error, and never
 * redirect
 * @throws {Returned} with an error code for the app (RFC 6749) in every other case
 */
export async function readAuthorization(query: URLSearchParams, asker: string): Promise<AuthorizationRequest> {
  const client = await readClient(query, asker);
  // A parameter without a value counts as absent (RFC 6749 section 3.1).
  const read = (name: string) => query.get(name) || undefined;
  const redirectUri = returnAddress(client, read("redirect_uri"));
  const state = read("state");
  if (state !== undefined && (state.length > 2048 || /\p{Cc}/u.test(state))) {
    throw stop("The app sent an invalid state parameter.");
  }
  const refuse = (error: ErrorCode, description: string) =>
    new Returned(returnTo({ redirectUri, state }, { error, error_description: description }), error, description);

  for (const name of ["request", "request_uri", "registration"] as const) {
    if (read(name) !== undefined) throw refuse(`${name}_not_supported`, `The parameter ${name} is not supported`);
  }
  const responseType = read("response_type");
  if (responseType === undefined) throw refuse("invalid_request", "response_type is missing");
  if (!client.grantTypes.includes("authorization_code")) {
    throw refuse(
      "unauthorized_client",
      "The client is not registered for the grant type authorization_code. Register the client with this grant type.",
    );
  }
  if (responseType !== "code") throw refuse("unsupported_response_type", "response_type must be code");
  if ((read("response_mode") ?? "query") !== "query") throw refuse("invalid_request", "response_mode must be query");
  const codeChallenge = read("code_challenge") ?? "";
  if (read("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(codeChallenge)) {
    throw refuse("invalid_request", "code_challenge with code_challenge_method S256 is required");
  }
  const resource = resourceOf(read("resource") ?? env().publicUrl);
  if (!resource) throw refuse("invalid_target", "resource must be the full URL of this service's /api or /api/mcp");
  const scopes = askedScopes(read("scope"));
  if (!scopes) throw refuse("invalid_scope", `scope may contain only ${scopeNames.join(" ")}`);
  return { client, redirectUri, state, scopes, codeChallenge, resource };
}

/**
 * Returns the app that the request names.
 * @throws {AppError} 400 if there is none, or if a parameter is repeated
 */
async function readClient(query: URLSearchParams, asker: string): Promise<Client> {
  const repeated = [...query.keys()].find((name, index, all) => all.indexOf(name) !== index);
  if (repeated !== undefined) throw stop(`The app sent the parameter ${repeated} more than once.`);
  return requireClient(query.get("client_id") ?? "", asker).catch((error) => {
    if (error instanceof AppError && error.status === 404)
      throw stop("The app that sent you here is not registered with this service.");
    throw error;
  });
}

function returnAddress({ redirectUris }: Client, asked: string | undefined): string {
  if (asked === undefined) {
    const [only, ...others] = redirectUris;
    if (only === undefined || others.length > 0) throw stop("The app’s request has no redirect URI.");
    return only;
  }
  if (!redirectAllowed(redirectUris, asked)) throw stop("The redirect URI is not registered for this app.");
  return asked;
}

/**
 * Parses the scopes of a request. An empty text means all scopes that are not sensitive. Ignores
 * `offline_access`.
 * @returns the distinct scopes, least risky first; undefined if one is unknown
 */
export function askedScopes(scope = ""): Scope[] | undefined {
  const names = new Set(scope.split(" ").filter((name) => name !== "" && name !== "offline_access"));
  if (names.size === 0) return scopeNames.filter((name) => !sensitiveScopes.has(name));
  return [...names].every(isScope) ? scopeNames.filter((name) => names.has(name)) : undefined;
}

type Answer = { code: string } | { error: string; error_description: string };

/** Returns the app's redirect URI with the result, the app's state and our issuer (RFC 9207). */
export function returnTo(
  { redirectUri, state }: { redirectUri: string; state?: string | null | undefined },
  answer: Answer,
) {
  const parameters = new URLSearchParams({ ...answer, ...(state && { state }), iss: env().publicUrl });
  // Appends text, because parsing could rewrite the registered URI.
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parameters}`;
}
