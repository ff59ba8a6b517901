import { isIPv6 } from "node:net";

/**
 * The part of an address that rate limits count. An IPv6 caller controls a whole /64 (RFC 6177), so
 * only the first 64 bits count.
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

/** The caller's network as text: an IPv4 address, or an IPv6 /64. */
export function ipNetwork(address: string): string {
  const group = ipPrefix(address).replace(/^::ffff:/i, "");
  return group === address || !group.includes(":") ? group : `${group}::/64`;
}
