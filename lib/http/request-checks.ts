import type { IncomingMessage } from "node:http";
import { badRequestResponse, methodNotAllowed, unknownPath } from "@/lib/api/errors/error-responses";
import { nearestPath, pathHint } from "@/lib/api/errors/path-hints";
import type { OperationResponse } from "@/lib/api/operation-request";

const pageMethods = ["GET", "HEAD", "POST", "OPTIONS"];
const known = new Set([...pageMethods, "PUT", "PATCH", "DELETE"]);
const versions = new Set(["1.0", "1.1"]);
const hostName = /^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;
const plainPath = /^\/[\w./~-]*$/;

/**
 * The paths of health probes, which may use any HTTP version and any Host header. For example,
 * HAProxy's check uses HTTP/1.0 without a Host header.
 */
export const probePaths: ReadonlySet<string> = new Set(["/livez", "/readyz", "/api/health"]);

/** Returns the rejection of a request that must not be processed. Undefined for other requests. */
export function rejectMalformed(req: IncomingMessage): OperationResponse | undefined {
  const target = req.url ?? "";
  if (!known.has(req.method ?? "")) return methodNotAllowed(pageMethods);
  // Only the origin form is allowed, because an absolute URL could choose the host in our
  // redirects.
  if (!target.startsWith("/")) return badRequestResponse();
  // Two Host headers are ambiguous (RFC 9112 section 3.2). No endpoint supports WebSocket.
  if (isDuplicateHeader(req, "host") || req.headers.upgrade?.toLowerCase() === "websocket") return badRequestResponse();
  const path = pathOf(target);
  if (probePaths.has(path)) return undefined;
  if (!versions.has(req.httpVersion) || !hostName.test(req.headers.host ?? "")) return badRequestResponse();
  // To an Origin that is not a URL, Next would respond with 500.
  const { origin } = req.headers;
  if (origin !== undefined && origin !== "null" && !URL.canParse(origin)) return badRequestResponse();
  if (plainPath.test(path) && !path.includes("//")) return undefined;
  return oddPath(path);
}

export const pathOf = (target: string) => {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
};

/** Whether a path is the API's. No page has such a path, and requests to it contain tokens. */
export const isApiPath = (path: string) => /^\/api(\/|$)/.test(path);

/**
 * Returns whether a header is repeated, which `req.headers` does not show.
 * @param name in lowercase
 */
export function isDuplicateHeader({ rawHeaders }: IncomingMessage, name: string): boolean {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const text = rawHeaders[index] as string;
    if (text.length === name.length && text.toLowerCase() === name) times++;
  }
  return times > 1;
}

/**
 * Returns the rejection of a path with invalid escapes, other spellings of `/api`, backslashes or
 * empty segments.
 */
function oddPath(path: string): OperationResponse | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return unknownPath();
  }
  if (/[\\\0]/.test(decoded)) return unknownPath();
  if (path.includes("//")) return unknownPath(nearestPath(path) && pathHint(path));
  if (/^\/api(\/|$)/i.test(decoded) && !path.startsWith("/api")) return unknownPath();
  return undefined;
}
