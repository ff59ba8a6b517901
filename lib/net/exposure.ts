/** Who can open our pages besides this computer's users: no one, or others, with or without TLS. */
export type Exposure = "here" | "http" | "https";

const isLoopback = (host: string) => host === "localhost" || /\.localhost$|^127\.|^\[?::1\]?$/.test(host);

/**
 * Returns the service's exposure according to the operator's settings.
 * @param url the URL that owners open; its `https` means that a proxy forwards the requests
 * @param host the listening address, which matters only without https
 */
export function exposureOf(url: string, host: string): Exposure {
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return "here";
  if (protocol === "https:") return "https";
  return isLoopback(host) ? "here" : "http";
}
