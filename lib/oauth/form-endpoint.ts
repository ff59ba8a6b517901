import { reportError } from "@/lib/error-reporting";
import { cors, preflight } from "@/lib/net/cors";
import { TokenError } from "./client-authentication";

/*
 * To add an endpoint that receives forms from apps, build it with `formEndpoint`, add a route file,
 * and list it in `lib/http/api-router.ts`.
 */

const maxBytes = 16 * 1024;

export const headers = {
  ...cors,
  "cache-control": "no-store",
  pragma: "no-cache",
  "x-content-type-options": "nosniff",
};

/**
 * Wraps an OAuth endpoint that receives forms (RFC 6749 section 3.2). Handles parsing, headers, and
 * errors with that RFC's codes. The returned handler never throws.
 */
export const formEndpoint =
  (handle: (request: Request, form: URLSearchParams) => Promise<object>) =>
  async (request: Request): Promise<Response> => {
    if (request.method === "OPTIONS") return preflight("POST");
    if (request.method !== "POST") {
      const body = { error: "invalid_request", error_description: "Use POST" };
      return Response.json(body, { status: 405, headers: { ...headers, allow: "POST, OPTIONS" } });
    }
    try {
      return Response.json(await handle(request, await readForm(request)), { headers });
    } catch (error) {
      return refuse(asTokenError(error));
    }
  };

/** Returns a parameter. Undefined if it is absent or has no value (RFC 6749 section 3.2). */
export const optionalParam = (form: URLSearchParams, name: string): string | undefined => form.get(name) || undefined;

/** Returns a parameter. @throws {TokenError} invalid_request if it is absent */
export function requiredParam(form: URLSearchParams, name: string): string {
  const value = optionalParam(form, name);
  if (value === undefined) throw new TokenError("invalid_request", `${name} is missing`);
  return value;
}

/**
 * Returns a request's body as text.
 * @throws the error from `tooLong` if the body is larger than 16 KiB
 */
export async function readText(request: Request, tooLong: () => Error): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLong();
  const text = await request.text();
  if (Buffer.byteLength(text) > maxBytes) throw tooLong();
  return text;
}

/**
 * Reads the form.
 * @throws {TokenError} invalid_request unless each parameter is in the form, and only once (RFC
 * 6749 section 3.2)
 */
async function readForm(request: Request): Promise<URLSearchParams> {
  const bad = (description: string, status = 400) => new TokenError("invalid_request", description, status);
  if (new URL(request.url).search) throw bad("Parameters must be in the request body, not in the URL");
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw bad("Content-Type must be application/x-www-form-urlencoded");
  }
  const form = new URLSearchParams(await readText(request, () => bad("The request is longer than 16 KiB", 413)));
  const repeated = [...form.keys()].find((name, index, all) => all.indexOf(name) !== index);
  if (repeated !== undefined) throw bad(`The parameter ${repeated} is repeated`);
  return form;
}

function asTokenError(error: unknown): TokenError {
  if (error instanceof TokenError) return error;
  const known = reportError(error, "an OAuth request failed");
  if (known?.status === 503)
    return new TokenError(
      "temporarily_unavailable",
      "The service is unavailable. Try again in a moment.",
      503,
      known.headers,
    );
  if (known?.status === 429) return new TokenError("temporarily_unavailable", known.message, 429, known.headers);
  if (known) return new TokenError("invalid_request", known.message, known.status);
  return new TokenError("server_error", "The server could not process the request. Try again later.", 500);
}

function refuse({ error, message, status, headers: more }: TokenError): Response {
  const extra: Record<string, string> = {
    ...(status === 401 && { "www-authenticate": 'Basic realm="countersign", charset="UTF-8"' }),
    ...more,
  };
  return Response.json({ error, error_description: message }, { status, headers: { ...headers, ...extra } });
}
