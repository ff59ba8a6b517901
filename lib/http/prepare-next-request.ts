import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { errorResponse, methodNotAllowed, unknownPath } from "@/lib/api/errors/error-responses";
import type { OperationResponse } from "@/lib/api/operation-request";
import { env } from "@/lib/config/env";
import { cors } from "@/lib/net/cors";
import { clientAddress } from "./client-address";
import { rejectCrossSite } from "./csrf";
import { missedApi } from "./missing-api-prefix";
import { warnOnForwardedHeader } from "./proxy-warnings";
import { pathOf } from "./request-checks";

/** Next's request handler. */
export type Pages = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** Maximum size of a form, in bytes. */
const formLimit = 256 * 1024;

/**
 * Headers that only this service, Next or our proxies may set. They are removed from outside
 * requests.
 */
const ours =
  /^(x-middleware-|x-nextjs-|next-resume$|x-forwarded-|x-countersign-|x-invoke-|x-matched-path$|content-security-policy|upgrade$)/;

/**
 * Returns whether a header identifies a request to Next's development server, which sends the page
 * reports about that request.
 */
const develops = (name: string) => process.env.NODE_ENV === "development" && /^x-nextjs-(html-)?request-id$/.test(name);

const fixed: Record<string, string> = {
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  // Questions can open the lens of another origin, which returns the signature to its opener. Our
  // links load no new document, so the policy of an owner's first page must allow this too.
  "cross-origin-opener-policy": "same-origin-allow-popups",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), browsing-topics=()",
};

const withCamera = { "permissions-policy": fixed["permissions-policy"]?.replace("camera=()", "camera=(self)") ?? "" };

/** Differences from the fixed headers, by path. */
const exceptions: readonly [RegExp, Record<string, string>][] = [
  // Browsers must not send the URLs of the consent screen and of emailed links as a referrer, not
  // even to us.
  [/^\/(consent|alerts\/answer)\//, { "referrer-policy": "no-referrer" }],
  [/^\/verify$/, withCamera],
  // The lens has a policy of its own, which allows its script and style by their hashes and no
  // request. This policy repeats the part that applies to any copy.
  [
    /^\/lens(\/countersign-lens\.html)?$/,
    {
      ...withCamera,
      "cross-origin-opener-policy": "unsafe-none",
      "content-security-policy": "connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  ],
];

/** Resources that pages of other sites may show or run. All others are only for our own pages. */
const forEverybody =
  /^\/(client\/|icons\/|favicon\/|\.well-known\/|(mark\.svg|openapi(-3\.0)?\.json|countersign\.postman_collection\.json)$)/;

/**
 * Files that programs on other sites' pages may read, and that therefore get CORS headers. The
 * discovery documents set these headers themselves.
 */
const forPrograms = /^\/(client\/|openapi(-3\.0)?\.json$|countersign\.postman_collection\.json$)/;

/**
 * Prepares a request for Next, and sets a page's headers on its response.
 * @returns the rejection, if Next must not get the request
 */
export function prepareNextRequest(req: IncomingMessage, res: ServerResponse): OperationResponse | undefined {
  const path = pathOf(req.url as string);
  const rejection = rejectionOf(req, path);
  if (rejection) return rejection;
  replaceRequestHeaders(req);
  setResourceHeaders(res, path);
  if (!path.startsWith("/_next/static/")) setPageHeaders(req, res, path);
  return undefined;
}

function rejectionOf(req: IncomingMessage, path: string): OperationResponse | undefined {
  const missed = missedApi(req, path);
  if (missed) return missed;
  const method = req.method as string;
  if (!["GET", "HEAD", "POST", "OPTIONS"].includes(method)) return methodNotAllowed(["GET", "POST"]);
  if (path === "/_next/image") return unknownPath();
  const foreign = rejectCrossSite(req, path);
  if (foreign) return foreign;
  return method === "POST" ? rejectedLength(req.headers["content-length"]) : undefined;
}

function rejectedLength(length: string | undefined): OperationResponse | undefined {
  if (length === undefined) return errorResponse(411, "Length required. Send the header Content-Length.", closing);
  return Number(length) > formLimit
    ? errorResponse(413, `Payload too large. Send at most ${formLimit / 1024} KiB.`, closing)
    : undefined;
}

/** Drops the headers that outside requests may not set, and adds ours. */
function replaceRequestHeaders(req: IncomingMessage): void {
  const address = clientAddress(req);
  warnOnForwardedHeader(req);
  for (const name of Object.keys(req.headers)) if (ours.test(name) && !develops(name)) delete req.headers[name];
  req.headers["x-countersign-address"] = address;
  req.headers["x-countersign-path"] = req.url as string;
  // Behind a proxy, Next gets our own host name, whatever the proxy or the client sends.
  const { trustProxy, publicUrl } = env();
  if (trustProxy > 0 || publicUrl.startsWith("https:")) req.headers.host = new URL(publicUrl).host;
}

function setResourceHeaders(res: ServerResponse, path: string): void {
  res.setHeader("cross-origin-resource-policy", forEverybody.test(path) ? "cross-origin" : "same-origin");
  if (forPrograms.test(path)) for (const [name, value] of Object.entries(cors)) res.setHeader(name, value);
}

function setPageHeaders(req: IncomingMessage, res: ServerResponse, path: string): void {
  const policy = contentSecurityPolicy(randomBytes(16).toString("base64"), path);
  // Next reads its nonce from this header.
  req.headers["content-security-policy"] = policy;
  res.setHeader("content-security-policy", policy);
  for (const [name, value] of Object.entries(fixed)) res.setHeader(name, value);
  for (const [pattern, headers] of exceptions)
    if (pattern.test(path)) for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (env().publicUrl.startsWith("https:")) res.setHeader("strict-transport-security", "max-age=31536000");
}

const closing = { connection: "close" };

function contentSecurityPolicy(nonce: string, path: string): string {
  const dev = process.env.NODE_ENV === "development";
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers apply form-action to all redirects after a form. The consent screen's redirects end
    // at the app, so its pages omit the directive.
    ...(path.startsWith("/consent/") ? [] : ["form-action 'self'"]),
  ].join("; ");
}
