import { RegistrationError, readClientMetadata } from "@/lib/apps/client-metadata";
import { registerClient } from "@/lib/apps/dynamic-client-registration";
import { env } from "@/lib/config/env";
import { reportError } from "@/lib/error-reporting";
import { AppError } from "@/lib/errors";
import { preflight } from "@/lib/net/cors";
import { consumeAttempt } from "@/lib/owners/fixed-window-limiter";
import { clientAddressOf } from "./client-authentication";
import { headers, readText } from "./form-endpoint";

/**
 * Handles POST /oauth/register: a client registers itself (RFC 7591 section 3). Rejected requests
 * also count against the rate limit. Never throws.
 */
export async function registrationEndpoint(request: Request): Promise<Response> {
  if (request.method === "OPTIONS") return preflight("POST");
  if (request.method !== "POST") return refuse(405, "invalid_request", "Use POST", { allow: "POST, OPTIONS" });
  try {
    await countRegistration(request);
    const client = await registerClient(readClientMetadata(await readJson(request)));
    return Response.json(client, { status: 201, headers });
  } catch (error) {
    return refusal(error);
  }
}

async function countRegistration(request: Request) {
  const max = env().registrationLimit;
  if (max === 0) return;
  const limit = { max, seconds: 3600 };
  await consumeAttempt(
    "register",
    clientAddressOf(request),
    limit,
    "Too many registrations from your network. Try again later.",
  );
}

/**
 * Reads the body as JSON.
 * @throws {AppError} 413
 * @throws {RegistrationError} if the body is not JSON
 */
async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json *(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw new RegistrationError("invalid_client_metadata", "Content-Type must be application/json");
  }
  const text = await readText(request, () => new AppError(413, "The request is longer than 16 KiB"));
  try {
    return JSON.parse(text);
  } catch {
    throw new RegistrationError("invalid_client_metadata", "The request body must be JSON");
  }
}

function refusal(error: unknown): Response {
  if (error instanceof RegistrationError) return refuse(400, error.error, error.message);
  const known = reportError(error, "a registration failed");
  const { status, message, headers } = known ?? {
    status: 500,
    message: "The server could not process the request. Try again later.",
    headers: {},
  };
  return refuse(status, codes[status] ?? "invalid_client_metadata", message, headers);
}

/** Error codes by status, for failures that have no code in RFC 7591. */
const codes: Record<number, string> = {
  413: "invalid_request",
  429: "too_many_requests",
  500: "server_error",
  503: "temporarily_unavailable",
};

const refuse = (status: number, error: string, description: string, extra: Record<string, string> = {}) =>
  Response.json({ error, error_description: description }, { status, headers: { ...headers, ...extra } });
