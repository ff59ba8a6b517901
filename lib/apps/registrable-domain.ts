import { isIP } from "node:net";

/**
 * Approximates the registrable domain of a URL. Rate limits apply to domains, because a domain's
 * owner can create any number of hosts. Returns the last two labels, or three if the last two look
 * like a public suffix under a country code (`co.uk`, `com.au`). Customers of public hosting
 * domains (`github.io`) share a limit, which costs them a short wait at most. The public suffix
 * list would be exact, but every operator would have to update it.
 * @returns the domain; for an IP address or a name without a dot, the host with its port
 */
export function registrableDomain({ host, hostname }: URL): string {
  const labels = hostname.replace(/\.$/, "").split(".");
  if (labels.length < 2 || hostname.startsWith("[") || isIP(hostname)) return host;
  const [second = "", top = ""] = labels.slice(-2);
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join(".");
}
