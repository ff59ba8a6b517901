import { type Resource, resourceOf } from "@/lib/access/resources";
import { type Client, requireClient } from "@/lib/apps/apps";
import { redirectAllowed } from "@/lib/apps/redirects";
import { env } from "@/lib/config/env";
import { AppError } from "@/lib/errors";
import { isScope, type Scope, scopeNames, sensitiveScopes } from "@/lib/scopes";

/*
 * The way of an app: `authorize` reads what it asks, `consent` keeps it until the owner has decided, `redeem` takes the
 * code, `issue` makes tokens, `refresh` replaces them. Everything issued from one consent is a *family* and ends together.
 * A refusal that must keep what it did (a used code, an ended family) is returned from the transaction and thrown after it.
 *
 * `e2e/authorization.spec.ts` holds the numbered assertions, from outside. `e2e/second-opinion.more.ts` sends the same
 * requests to oidc-provider: a new difference is our bug, or is listed there with its reason.
 */

/** What an app asks for at /oauth/authorize, checked. */
export type AuthorizationRequest = {
  client: Client;
  redirectUri: string;
  state: string | undefined;
  scopes: Scope[];
  codeChallenge: string;
  resource: Resource;
};

/** RFC 6749's error codes for what an authorization request may have wrong. */
export type ErrorCode =
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "unauthorized_client"
  | "unsupported_response_type"
  | "request_not_supported"
  | "registration_not_supported";

/** A wrong request that came from a known app by a registered address: the app is told, through the browser. */
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

/** A wrong request that nobody can be told of but the person who sees the page (RFC 6749 section 4.1.2.1). */
const stop = (message: string) => new AppError(400, message);

/**
 * Check an authorization request (OAuth 2.1 section 4.1.1): code with PKCE S256, and nothing else.
 * @param asker as findClient
 * @throws {AppError} 400, to be shown and never redirected, when the app or the address is not certain
 * @throws {Returned} with RFC 6749's error code for the app, for everything else
 */
export async function readAuthorization(query: URLSearchParams, asker: string): Promise<AuthorizationRequest> {
  const client = await readClient(query, asker);
  // A parameter without a value counts as absent (RFC 6749 section 3.1).
  const read = (name: string) => query.get(name) || undefined;
  const redirectUri = returnAddress(client, read("redirect_uri"));
  const state = read("state");
  if (state !== undefined && (state.length > 2048 || /\p{Cc}/u.test(state))) {
    throw stop("The app sent a state that cannot be returned.");
  }
  const refuse = (error: ErrorCode, description: string) =>
    new Returned(returnTo({ redirectUri, state }, { error, error_description: description }), error, description);

  for (const name of ["request", "registration"] as const) {
    if (read(name) !== undefined) throw refuse(`${name}_not_supported`, `${name} is not supported`);
  }
  const responseType = read("response_type");
  if (responseType === undefined) throw refuse("invalid_request", "response_type is missing");
  if (!client.grantTypes.includes("authorization_code")) {
    throw refuse("unauthorized_client", "The client is not registered for authorization codes");
  }
  if (responseType !== "code") throw refuse("unsupported_response_type", "response_type must be code");
  if ((read("response_mode") ?? "query") !== "query") throw refuse("invalid_request", "response_mode must be query");
  const codeChallenge = read("code_challenge") ?? "";
  if (read("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(codeChallenge)) {
    throw refuse("invalid_request", "code_challenge with code_challenge_method S256 is required");
  }
  const resource = resourceOf(read("resource") ?? env().publicUrl);
  if (!resource) throw refuse("invalid_target", "resource is not one of ours");
  const scopes = askedScopes(read("scope"));
  if (!scopes) throw refuse("invalid_scope", `scope must be among ${scopeNames.join(" ")}`);
  return { client, redirectUri, state, scopes, codeChallenge, resource };
}

/** The app that sent the browser here. @throws {AppError} 400 when none did, or the request says anything twice */
export async function readClient(query: URLSearchParams, asker: string): Promise<Client> {
  const repeated = [...query.keys()].find((name, at, all) => all.indexOf(name) !== at);
  if (repeated !== undefined) throw stop("The app sent a parameter twice.");
  return requireClient(query.get("client_id") ?? "", asker).catch((error) => {
    if (error instanceof AppError && error.status === 404) throw stop("The app that sent you is not registered here.");
    throw error;
  });
}

function returnAddress({ redirectUris }: Client, asked: string | undefined): string {
  if (asked === undefined) {
    const [only, ...others] = redirectUris;
    if (only === undefined || others.length > 0) throw stop("The app did not say where to return to.");
    return only;
  }
  if (!redirectAllowed(redirectUris, asked)) throw stop("The app wants to return to an address it has not registered.");
  return asked;
}

/** Each once, least risky first. Asking for nothing asks for everything but the sensitive; offline_access means nothing here. */
export function askedScopes(scope = ""): Scope[] | undefined {
  const names = new Set(scope.split(" ").filter((name) => name !== "" && name !== "offline_access"));
  if (names.size === 0) return scopeNames.filter((name) => !sensitiveScopes.has(name));
  return [...names].every(isScope) ? scopeNames.filter((name) => names.has(name)) : undefined;
}

type Answer = { code: string } | { error: string; error_description: string };

/** The app's address with the answer, the state as it was sent, and who answers (RFC 9207). */
export function returnTo(
  { redirectUri, state }: { redirectUri: string; state?: string | null | undefined },
  answer: Answer,
) {
  const parameters = new URLSearchParams({ ...answer, ...(state && { state }), iss: env().publicUrl });
  // Appended as text: parsing would rewrite what the app registered.
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parameters}`;
}
