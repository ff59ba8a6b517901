import { preflightHeaders } from "@/lib/net/cors";
import type { OperationResponse } from "../operation-request";

/** Returns an error response with one sentence. @param hint what to send instead */
export const errorResponse = (
  status: number,
  error: string,
  headers: Record<string, string> = {},
  hint?: string,
): OperationResponse => ({
  status,
  headers,
  body: JSON.stringify({ error, ...(hint !== undefined && { details: [{ path: "", message: hint }] }) }),
});

/**
 * Returns the value of the Allow header. GET implies HEAD, and OPTIONS is always allowed (RFC 9110
 * section 9.3).
 */
const allow = (methods: readonly string[]) =>
  ["GET", "HEAD", "POST", "OPTIONS"]
    .filter((method) => method === "OPTIONS" || methods.includes(method === "HEAD" ? "GET" : method))
    .join(", ");

export const unknownPath = (hint?: string) => errorResponse(404, "Not found", {}, hint);
export const badRequestResponse = () => errorResponse(400, "Bad request", { connection: "close" });
export const methodNotAllowed = (methods: readonly string[], hint?: string) =>
  errorResponse(405, "Method not allowed", { allow: allow(methods) }, hint);

/**
 * Returns the response to OPTIONS. It allows browsers to send any method, so that a page that sends
 * a wrong one can read the error.
 */
export const preflight = (methods: readonly string[]): OperationResponse => ({
  status: 204,
  headers: { allow: allow(methods), ...preflightHeaders("GET, HEAD, POST, PUT, PATCH, DELETE") },
  body: "",
});

/** Returns whether this is a CORS preflight (Fetch Standard, "CORS-preflight request"). */
export const isPreflight = (method: string | undefined, requestMethod: unknown) =>
  method === "OPTIONS" && requestMethod !== undefined;
