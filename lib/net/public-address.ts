import { BlockList, isIPv4, isIPv6 } from "node:net";

function subnets(family: "ipv4" | "ipv6", ranges: string): BlockList {
  const found = new BlockList();
  for (const range of ranges.trim().split(/\s+/)) {
    const [address = "", bits] = range.split("/");
    found.addSubnet(address, Number(bits), family);
  }
  return found;
}

/**
 * Addresses that are not on the public internet (IANA's special-purpose registries), and an address
 * at which Azure's machines reach Azure's own services.
 */
const reserved4 = subnets(
  "ipv4",
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32`,
);
/**
 * Global unicast addresses. They exclude loopback, unique local, link-local, multicast, mapped IPv4
 * and NAT64 addresses.
 */
const global6 = subnets("ipv6", "2000::/3");
/**
 * Exceptions within this range: protocol assignments with Teredo, documentation, and 6to4. They
 * contain IPv4 addresses, or are not routed.
 */
const reserved6 = subnets("ipv6", "2001::/23 2001:db8::/32 2002::/16 3fff::/20");

/** Whether a text is a public IP address. False for an address with a zone. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !reserved4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return global6.check(address, "ipv6") && !reserved6.check(address, "ipv6");
}
