import { asAppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { authenticateClient, TokenError } from "./client-authentication";
import { redeemCode } from "./redeem";
import { resourceOf } from "./resources";

const maxBytes = 16 * 1024;

/** Browser clients may call it from anywhere: it takes no cookie. */
const cors = { "access-control-allow-origin": "*", "access-control-expose-headers": "WWW-Authenticate" };
const headers = { ...cors, "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" };

/** POST /oauth/token (RFC 6749 section 3.2): a code for a token. Never throws. */
export async function tokenEndpoint(request: Request): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") {
    const body = { error: "invalid_request", error_description: "Use POST" };
    return Response.json(body, { status: 405, headers: { ...headers, allow: "POST, OPTIONS" } });
  }
  try {
    const form = await readForm(request);
    const issued = await exchange(request, form);
    const { token, expiresIn, scopes } = issued;
    const body = { access_token: token, token_type: "Bearer", expires_in: expiresIn, scope: scopes.join(" ") };
    return Response.json(body, { headers });
  } catch (error) {
    return refuse(asTokenError(error));
  }
}

const preflight = () =>
  new Response(null, {
    status: 204,
    headers: {
      ...cors,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "Authorization, Content-Type",
      "access-control-max-age": "86400",
    },
  });

async function exchange(request: Request, form: URLSearchParams) {
  const read = (name: string) => form.get(name) || undefined;
  const grantType = read("grant_type");
  if (grantType === undefined) throw new TokenError("invalid_request", "grant_type is missing");
  if (grantType !== "authorization_code") {
    throw new TokenError("unsupported_grant_type", "grant_type must be authorization_code");
  }
  const client = await authenticateClient(request, form);
  const code = read("code");
  if (code === undefined) throw new TokenError("invalid_request", "code is missing");
  const named = read("resource");
  const resource = named === undefined ? undefined : resourceOf(named);
  if (named !== undefined && !resource) throw new TokenError("invalid_target", "resource is not one of ours");
  return redeemCode(client, { code, verifier: read("code_verifier"), redirectUri: read("redirect_uri"), resource });
}

/** @throws {TokenError} invalid_request: parameters come in the form alone, each once (RFC 6749 section 3.2) */
async function readForm(request: Request): Promise<URLSearchParams> {
  const bad = (description: string, status = 400) => new TokenError("invalid_request", description, status);
  if (new URL(request.url).search) throw bad("Parameters must not stand in the address");
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw bad("Content-Type must be application/x-www-form-urlencoded");
  }
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bad("The request is too long", 413);
  const text = await request.text();
  if (Buffer.byteLength(text) > maxBytes) throw bad("The request is too long", 413);
  const form = new URLSearchParams(text);
  if (new Set(form.keys()).size !== form.size) throw bad("A parameter stands twice");
  return form;
}

function asTokenError(error: unknown): TokenError {
  if (error instanceof TokenError) return error;
  const known = asAppError(error);
  if (known?.status === 503) return new TokenError("temporarily_unavailable", "Try again in a moment", 503);
  if (known) return new TokenError("invalid_request", known.message);
  log.error("a token request failed", error);
  return new TokenError("server_error", "That did not work", 500);
}

function refuse({ error, message, status }: TokenError): Response {
  const extra: Record<string, string> = {
    ...(status === 401 && { "www-authenticate": 'Basic realm="countersign", charset="UTF-8"' }),
    ...(status === 503 && { "retry-after": "1" }),
  };
  return Response.json({ error, error_description: message }, { status, headers: { ...headers, ...extra } });
}
