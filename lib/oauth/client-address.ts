import { addressGroup } from "@/lib/owners/throttle";

/** Where a request comes from, which the front tells us: what limits by address count. Empty where nobody did. */
export const clientAddressOf = (request: Request): string => addressGroup(request.headers.get("x-countersign-address") ?? "");
