import { ipPrefix } from "@/lib/owners/attempt-limiter";

/** Where a request comes from, which the front tells us: what limits by address count. Empty where nobody did. */
export const clientAddressOf = (request: Request): string =>
  ipPrefix(request.headers.get("x-countersign-address") ?? "");
