import type { IncomingMessage } from "node:http";
import { env } from "@/lib/config/env";

/**
 * Returns the caller's address. Without trusted proxies, it is the peer's address; otherwise, it is
 * the address reported by the outermost trusted proxy.
 */
export function clientAddress(req: IncomingMessage): string {
  const peer = req.socket.remoteAddress ?? "";
  const hops = String(req.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);
  return (env().trustProxy > 0 && hops.at(-env().trustProxy)) || peer;
}
