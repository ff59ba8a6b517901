import type { IncomingMessage } from "node:http";
import { isLoopback } from "@/lib/api/dns-rebinding";
import type { OperationResponse } from "@/lib/api/operation-request";
import { env } from "@/lib/config/env";
import { plainPage } from "@/lib/web/plain-page";

/*
 * A foreign page must not be able to act for a signed-in owner. `/api` therefore accepts only
 * bearer tokens, and ignores cookies. The owner's pages use the session, and never call `/api`.
 */

/**
 * Endpoints for forms from other origins. They require a secret, a code or a token, and ignore
 * cookies.
 */
const fromAnywhere = [
  // Requests from apps to the authorization server. Some clients use these paths without reading
  // its metadata.
  /^\/oauth\/[a-z_]+(\/[\w-]+)?$/,
  /^\/(token|register)$/,
  // Mail programs post here without a page (RFC 8058). The URL contains the key.
  /^\/alerts\/unsubscribe$/,
  // Slack posts here when a button in an owner's message is pressed. Slack signs the request.
  /^\/alerts\/slack$/,
];

/**
 * Rejects changes that do not come from one of our pages, by the headers Origin and Sec-Fetch-Site,
 * which foreign pages cannot set. If Origin is missing or `null` (`Referrer-Policy: no-referrer`),
 * Sec-Fetch-Site decides.
 * @param path the request's path, without its query
 * @returns the rejection, as a page if the client accepts HTML and otherwise as JSON
 */
export function rejectCrossSite(req: IncomingMessage, path: string): OperationResponse | undefined {
  if (["GET", "HEAD", "OPTIONS"].includes(req.method as string)) return undefined;
  if (fromAnywhere.some((pattern) => pattern.test(path)) || comesFromOwnPage(req)) return undefined;
  const { publicUrl } = env();
  const cause = `This request did not come from a page on ${publicUrl}`;
  const error = `${cause}, so no changes were made`;
  const headers = { connection: "close", "cross-origin-resource-policy": "same-origin" };
  if (!/\btext\/html\b/.test(req.headers.accept ?? ""))
    return { status: 403, headers, body: JSON.stringify({ error }) };
  const body = `<h1>No changes were made</h1><p>${cause}.</p><p><a href="${publicUrl}">Open Countersign</a>, then try again.</p>`;
  return {
    status: 403,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "x-frame-options": "DENY",
    },
    body: plainPage("No changes were made", body),
  };
}

/** Returns whether the browser reports that one of our own pages sent the request. */
export function comesFromOwnPage({ headers }: IncomingMessage): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if (origin === undefined || origin === "null") return site === "same-origin";
  return (site === undefined || site === "same-origin") && isOurs(origin, headers.host);
}

/**
 * Whether an origin is ours. On a local machine, `localhost` and `127.0.0.1` are the same service,
 * so the origin must match the host with which the owner opened the page.
 */
function isOurs(origin: string, host = ""): boolean {
  const { publicUrl } = env();
  if (origin === publicUrl) return true;
  const here = [publicUrl, origin].every((it) => isLoopback(new URL(it).hostname));
  return here && origin === `http://${host}`;
}
