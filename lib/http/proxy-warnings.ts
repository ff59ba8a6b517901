import type { IncomingMessage } from "node:http";
import { env } from "@/lib/config/env";
import { log } from "@/lib/log";

const consequence =
  "TRUST_PROXY is 0, so every caller seems to come from the proxy's own address, and what is limited by address is limited for all of them together. Set TRUST_PROXY to how many proxies stand in front of the service.";

/** Said once, when the service starts: https means that a proxy stands in front, since the service itself speaks plain HTTP. */
export function warnOfUntrustedProxy(): void {
  const { publicUrl, trustProxy } = env();
  if (publicUrl.startsWith("https:") && trustProxy === 0) log.warn(`PUBLIC_URL is https and ${consequence}`);
}

let said = false;

/** Said once in the life of a process, when what only a proxy says arrives all the same. */
export function warnOnForwardedHeader({ headers }: IncomingMessage): void {
  if (said || headers["x-forwarded-for"] === undefined || env().trustProxy > 0) return;
  said = true;
  log.warn(`A request came with X-Forwarded-For and ${consequence} Who calls directly can send this header too.`);
}
