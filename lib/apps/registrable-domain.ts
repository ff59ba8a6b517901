import { isIP } from "node:net";

/**
 * Approximates the registrable domain of an address, for rate limits by site: whoever owns a domain
 * can create any number of hosts under it. It is the last two labels, or three where the last two
 * look like a country's (`co.uk`, `com.au`).
 * Domains that give hosts to the public (`github.io`) are treated as one, so their customers share
 * a limit, which costs a short wait. The public suffix list would be exact, but every operator
 * would have to keep it current. An IP address or a name without a dot is returned unchanged, with
 * its port.
 */
export function registrableDomain({ host, hostname }: URL): string {
  const labels = hostname.replace(/\.$/, "").split(".");
  if (labels.length < 2 || hostname.startsWith("[") || isIP(hostname)) return host;
  const [second = "", top = ""] = labels.slice(-2);
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join(".");
}
