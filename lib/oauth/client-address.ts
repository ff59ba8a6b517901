import { ipPrefix } from "@/lib/owners/attempt-limiter";

/** The caller's address as reported by the server, for rate limits. Empty if unknown. */
export const clientAddressOf = (request: Request): string =>
  ipPrefix(request.headers.get("x-countersign-address") ?? "");
