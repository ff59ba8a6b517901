import { isIPv6 } from "node:net";

/**
 * Returns the part of an address that rate limits count. For IPv6, this is the first 64 bits,
 * because a caller controls a whole /64 (RFC 6177).
 */
export function ipPrefix(address: string): string {
  if (!isIPv6(address) || /^::ffff:[\d.]+$/i.test(address)) return address;
  const [head = "", tail] = address.split("%", 1)[0]!.split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  const whole = [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill("0"), ...after];
  return whole
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(":");
}

/** Returns the caller's network as text: an IPv4 address, or an IPv6 /64. */
export function ipNetwork(address: string): string {
  const group = ipPrefix(address).replace(/^::ffff:/i, "");
  return group === address || !group.includes(":") ? group : `${group}::/64`;
}
