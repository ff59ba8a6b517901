import type { IncomingMessage } from "node:http";
import type { OperationResponse } from "@/lib/api/call";
import { isLoopback } from "@/lib/api/dns-rebinding";
import { env } from "@/lib/config/env";
import { plainPage } from "@/lib/web/plain-page";

/*
 * Two doors with different keys: `/api` takes bearer tokens only and never looks at a cookie; the owner's pages take the
 * session and never call `/api`.
 */

/** Where others than our pages post to. Whoever does shows a secret, a code or a token; nobody's cookie is looked at. */
const fromAnywhere = [
  // What apps ask of the authorization server, some of it at addresses from before there was metadata.
  /^\/oauth\/[a-z_]+(\/[\w-]+)?$/,
  /^\/(token|register)$/,
  // Mail programs, of their own accord (RFC 8058); the address carries the proof.
  /^\/alerts\/unsubscribe$/,
  // Slack, of a button in an owner's message; it signs what it sends.
  /^\/alerts\/slack$/,
];

/**
 * What changes something for an owner has to come from a page of ours, by what browsers say of it and foreign pages cannot
 * change (Fetch Standard: Origin; Fetch Metadata: Sec-Fetch-Site). A page that keeps its address to itself (Referrer-Policy:
 * no-referrer) posts with `Origin: null`; Sec-Fetch-Site decides then, and where no Origin is sent.
 * @param path of the request, without its query
 * @returns the refusal, for a person as a page
 */
export function rejectCrossSite(req: IncomingMessage, path: string): OperationResponse | undefined {
  if (["GET", "HEAD", "OPTIONS"].includes(req.method as string)) return undefined;
  if (fromAnywhere.some((pattern) => pattern.test(path)) || comesFromOwnPage(req)) return undefined;
  const { publicUrl } = env();
  const error = `This was not sent from a page of ${publicUrl}, so nothing was changed`;
  const headers = { connection: "close", "cross-origin-resource-policy": "same-origin" };
  if (!/\btext\/html\b/.test(req.headers.accept ?? ""))
    return { status: 403, headers, body: JSON.stringify({ error }) };
  const body = `<h1>Nothing was done</h1><p>${error}.</p><p><a href="${publicUrl}">Open Countersign</a> and do it there.</p>`;
  return {
    status: 403,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "x-frame-options": "DENY",
    },
    body: plainPage("Nothing was done", body),
  };
}

/** Whether a browser says that one of our own pages sent a request. */
export function comesFromOwnPage({ headers }: IncomingMessage): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if (origin === undefined || origin === "null") return site === "same-origin";
  return (site === undefined || site === "same-origin") && isOurs(origin, headers.host);
}

/** On one's own computer `localhost` and `127.0.0.1` are the same service, and a page is asked by the name it was opened with. */
function isOurs(origin: string, host = ""): boolean {
  const { publicUrl } = env();
  if (origin === publicUrl) return true;
  const here = [publicUrl, origin].every((it) => isLoopback(new URL(it).hostname));
  return here && origin === `http://${host}`;
}
