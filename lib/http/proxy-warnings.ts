import type { IncomingMessage } from "node:http";
import { env } from "@/lib/config/env";
import { log } from "@/lib/log";

const consequence =
  "Behind a proxy, every request then seems to come from the proxy's address. All callers share the rate limits of that address. Set TRUST_PROXY to the number of proxies in front of the service.";

/**
 * Warns at startup if PUBLIC_URL is https but no proxy is trusted. There must be a proxy, because
 * the service itself uses plain HTTP.
 */
export function warnOfUntrustedProxy(): void {
  const { publicUrl, trustProxy } = env();
  if (publicUrl.startsWith("https:") && trustProxy === 0)
    log.warn(`PUBLIC_URL is an https address, but TRUST_PROXY is 0. ${consequence}`);
}

let warned = false;

/**
 * Warns once per process if a request has a header that proxies set, although no proxy is trusted.
 */
export function warnOnForwardedHeader({ headers }: IncomingMessage): void {
  if (warned || headers["x-forwarded-for"] === undefined || env().trustProxy > 0) return;
  warned = true;
  log.warn(
    `A request has the header X-Forwarded-For, but TRUST_PROXY is 0. Direct callers can also send this header. ${consequence}`,
  );
}
