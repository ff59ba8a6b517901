import type { IncomingMessage } from "node:http";
import { env } from "@/lib/config/env";

/**
 * Returns the caller's address: the peer's address or, behind trusted proxies, the one that the
 * outermost of them reports.
 */
export function clientAddress(req: IncomingMessage): string {
  const peer = req.socket.remoteAddress ?? "";
  const hops = String(req.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);
  return (env().trustProxy > 0 && hops.at(-env().trustProxy)) || peer;
}
