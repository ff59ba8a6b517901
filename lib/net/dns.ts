import { lookup, Resolver } from "node:dns/promises";

/** A resolved address. */
export type Address = { address: string; family: number };

/** The timeout for each server in milliseconds, and the number of attempts. */
const timeouts = { timeout: 2000, tries: 2 };

/**
 * Resolves a host name. Names that strangers chose are sent directly to the DNS servers, because
 * the system's lookup (getaddrinfo) has few slots and can't be canceled, so two unresponsive names
 * would block all lookups. Names that the operator chose use the system's lookup, which also knows
 * the local network.
 * @param named whether the operator chose the name
 * @param servers DNS servers to ask instead of the system's
 * @returns the addresses; an empty array if the name exists without an address
 * @throws an error with the same `code` as the system's lookup: `ENOTFOUND` for an unknown name,
 * `EAI_AGAIN` if no server responded
 */
export async function resolveHost(host: string, named: boolean, servers?: readonly string[]): Promise<Address[]> {
  if (named) return lookup(host, { all: true });
  // A new one for each lookup, because the system's servers change when a machine changes networks.
  const resolver = new Resolver(timeouts);
  if (servers) resolver.setServers(servers);
  const replies = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const [v4, v6] = replies;
  if (replies.every(({ status }) => status === "rejected")) {
    const codes = replies.map((it) => it.status === "rejected" && it.reason?.code);
    const isUnknown = codes.every((code) => code === "ENOTFOUND" || code === "ENODATA");
    if (isUnknown && codes.includes("ENODATA")) return [];
    // Replaces codes like ECONNREFUSED, which would seem to be about the host, but are about a name
    // server.
    const code = isUnknown ? "ENOTFOUND" : "EAI_AGAIN";
    throw Object.assign(new Error(`${code} ${host}`, { cause: codes.join(", ") }), { code });
  }
  return [...found(v4, 4), ...found(v6, 6)];
}

const found = (replies: PromiseSettledResult<string[]>, family: 4 | 6): Address[] =>
  replies.status === "fulfilled" ? replies.value.map((address) => ({ address, family })) : [];
