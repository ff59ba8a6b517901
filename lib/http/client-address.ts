import type { IncomingMessage } from "node:http";
import { env } from "@/lib/config/env";

/** Who is calling: the peer, or what the last proxy that we trust says of it. */
export function clientAddress(req: IncomingMessage): string {
  const peer = req.socket.remoteAddress ?? "";
  const hops = String(req.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);
  return (env().trustProxy > 0 && hops.at(-env().trustProxy)) || peer;
}
