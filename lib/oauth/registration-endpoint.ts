import { RegistrationError, readClientMetadata } from "@/lib/apps/client-metadata";
import { type Manager, readRegistration, registerClient, replaceRegistration } from "@/lib/apps/registration";
import { env } from "@/lib/config/env";
import { reportError } from "@/lib/error-reporting";
import { AppError, Unauthorized, unauthorized } from "@/lib/errors";
import { deleteRegistration } from "@/lib/grants/delete-app";
import { preflight } from "@/lib/net/cors";
import { consumeAttempt } from "@/lib/owners/attempt-limiter";
import { clientAddressOf } from "./client-address";
import { headers, readText } from "./form-endpoint";

/**
 * POST /oauth/register: a client registers itself (RFC 7591 section 3). The rate limit is consumed
 * before the body is read, so rejected requests count too. Never throws.
 */
export const registrationEndpoint = (request: Request): Promise<Response> =>
  answer(request, ["POST"], async () => {
    await countRegistration(request);
    return told(await registerClient(readClientMetadata(await readJson(request))), 201);
  });

/**
 * GET, PUT and DELETE /oauth/register/{clientId}: a client manages its registration (RFC 7592).
 * Never throws.
 */
export const registrationManagement = (request: Request, clientId: string): Promise<Response> =>
  answer(request, ["GET", "PUT", "DELETE"], async () => {
    const manager = { clientId, token: readBearer(request) } satisfies Manager;
    if (request.method === "GET") return told(await readRegistration(manager));
    if (request.method === "PUT") {
      // Authenticate first: an unauthorized caller must not learn the mistakes in the body.
      await readRegistration(manager);
      return told(await replaceRegistration(manager, await readJson(request)));
    }
    await deleteRegistration(manager);
    return new Response(null, { status: 204, headers });
  });

const told = (client: object, status = 200) => Response.json(client, { status, headers });

async function answer(request: Request, methods: string[], work: () => Promise<Response>): Promise<Response> {
  if (request.method === "OPTIONS") return preflight(methods.join(", "));
  if (!methods.includes(request.method)) {
    const allow = [...methods, "OPTIONS"].join(", ");
    return refuse(405, "invalid_request", `Use ${methods.join(", ")}`, { allow });
  }
  try {
    return await work();
  } catch (error) {
    return refusal(error);
  }
}

async function countRegistration(request: Request) {
  const most = env().registrationLimit;
  if (most === 0) return;
  const limit = { most, seconds: 3600 };
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
