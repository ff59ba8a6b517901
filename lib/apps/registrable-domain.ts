import { isIP } from "node:net";

/**
 * Who answers for an address, as far as one can tell by its name: what stands for one when strangers' addresses are counted,
 * since whoever has a domain has as many hosts under it as they like. That is its last two labels, or three where the last two
 * look like a country's (`co.uk`, `com.au`). It is wrong about domains that give hosts to everybody (`github.io`): their
 * customers share a count, which costs a moment's wait. The list of public suffixes would know them, and has to be kept up to
 * date by every operator. A literal address or a name without a dot is itself, with its port.
 */
export function registrableDomain({ host, hostname }: URL): string {
  const labels = hostname.replace(/\.$/, "").split(".");
  if (labels.length < 2 || hostname.startsWith("[") || isIP(hostname)) return host;
  const [second = "", top = ""] = labels.slice(-2);
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join(".");
}
