import { RegistrationError, readClientMetadata } from "@/lib/apps/client-metadata";
import { readRegistration, registerClient } from "@/lib/apps/registration";
import { env } from "@/lib/config/env";
import { reportError } from "@/lib/error-reporting";
import { AppError, Unauthorized, unauthorized } from "@/lib/errors";
import { preflight } from "@/lib/net/cors";
import { consumeAttempt } from "@/lib/owners/attempt-limiter";
import { clientAddressOf } from "./client-authentication";
import { headers, readText } from "./form-endpoint";

/**
 * POST /oauth/register: a client registers itself (RFC 7591 section 3). The rate limit is consumed
 * before the body is read, so rejected requests count too. Never throws.
 */
export const registrationEndpoint = (request: Request): Promise<Response> =>
  answer(request, "POST", async () => {
    await countRegistration(request);
    return jsonResponse(await registerClient(readClientMetadata(await readJson(request))), 201);
  });

/**
 * GET /oauth/register/{clientId}: a client reads its registration (RFC 7592 section 2.1). Never
 * throws.
 */
export const registrationReadEndpoint = (request: Request, clientId: string): Promise<Response> =>
  answer(request, "GET", async () => jsonResponse(await readRegistration({ clientId, token: readBearer(request) })));

const jsonResponse = (client: object, status = 200) => Response.json(client, { status, headers });

async function answer(request: Request, method: string, work: () => Promise<Response>): Promise<Response> {
  if (request.method === "OPTIONS") return preflight(method);
  if (request.method !== method)
    return refuse(405, "invalid_request", `Use ${method}`, { allow: `${method}, OPTIONS` });
  try {
    return await work();
  } catch (error) {
    return refusal(error);
  }
}

async function countRegistration(request: Request) {
  const max = env().registrationLimit;
  if (max === 0) return;
  const limit = { max, seconds: 3600 };
  await consumeAttempt("register", clientAddressOf(request), limit, "Too many registrations from your address");
}

/** @throws {AppError} 413, {RegistrationError} if the body is not JSON */
async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json *(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw new RegistrationError("invalid_client_metadata", "Content-Type must be application/json");
  }
  const text = await readText(request, () => new AppError(413, "The request is too long"));
  try {
    return JSON.parse(text);
  } catch {
    throw new RegistrationError("invalid_client_metadata", "The body is not JSON");
  }
}

/** @throws {Unauthorized} */
function readBearer(request: Request): string {
  const header = request.headers.get("authorization");
  if (header === null) throw unauthorized(false);
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? "";
}

function refusal(error: unknown): Response {
  if (error instanceof RegistrationError) return refuse(400, error.error, error.message);
  if (error instanceof Unauthorized) {
    const challenge = `Bearer realm="countersign"${error.sent ? ', error="invalid_token"' : ""}`;
    return refuse(401, "invalid_token", "The registration access token is missing, wrong or revoked", {
      "www-authenticate": challenge,
    });
  }
  const known = reportError(error, "a registration failed");
  const { status, message, headers } = known ?? {
    status: 500,
    message: "Something went wrong on the server",
    headers: {},
  };
  return refuse(status, codes[status] ?? "invalid_client_metadata", message, headers);
}

/** For errors without a code in RFC 7591. */
const codes: Record<number, string> = {
  413: "invalid_request",
  429: "too_many_requests",
  500: "server_error",
  503: "temporarily_unavailable",
};

const refuse = (status: number, error: string, description: string, extra: Record<string, string> = {}) =>
  Response.json({ error, error_description: description }, { status, headers: { ...headers, ...extra } });
