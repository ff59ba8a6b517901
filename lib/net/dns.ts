import { lookup, Resolver } from "node:dns/promises";

/** Where a name leads. */
export type Address = { address: string; family: number };

/** How long one server is waited for, and how often it is asked. */
const patience = { timeout: 2000, tries: 2 };

/**
 * Where a host's name leads.
 *
 * Names that strangers choose are asked of the DNS servers directly: the system's own look-up (getaddrinfo) has few places and
 * cannot be broken off, so that two names whose servers never answer would hold up all others of this process. What the
 * operator named goes by the system's look-up, which knows the names of its own network (/etc/hosts and the like) too.
 * @param named whether the operator named its origin
 * @param servers whom to ask instead of the system's DNS servers
 * @returns nothing for a name that is there and has no address
 * @throws with `code` as the system's look-up does: `ENOTFOUND` for no such name, `EAI_AGAIN` when nobody could say within seconds
 */
export async function resolveHost(host: string, named: boolean, servers?: readonly string[]): Promise<Address[]> {
  if (named) return lookup(host, { all: true });
  // Made for each look-up, since the system's servers change when a machine moves to another network.
  const resolver = new Resolver(patience);
  if (servers) resolver.setServers(servers);
  const asked = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const [v4, v6] = asked;
  if (asked.every(({ status }) => status === "rejected")) {
    const codes = asked.map((it) => it.status === "rejected" && it.reason?.code);
    const said = codes.every((code) => code === "ENOTFOUND" || code === "ENODATA");
    if (said && codes.includes("ENODATA")) return [];
    // A server of names that refuses connections is not the host that does.
    const code = said ? "ENOTFOUND" : "EAI_AGAIN";
    throw Object.assign(new Error(`${code} ${host}`, { cause: codes.join(", ") }), { code });
  }
  return [...found(v4, 4), ...found(v6, 6)];
}

const found = (asked: PromiseSettledResult<string[]>, family: 4 | 6): Address[] =>
  asked.status === "fulfilled" ? asked.value.map((address) => ({ address, family })) : [];
