/** Who can open our pages besides this computer's users: nobody, or others without or with TLS. */
export type Exposure = "here" | "http" | "https";

const isLoopback = (host: string) => host === "localhost" || /\.localhost$|^127\.|^\[?::1\]?$/.test(host);

/**
 * Returns the service's exposure according to the settings.
 * @param url the URL that owners open; https means that a proxy forwards requests
 * @param host the address that the service listens on, which matters only without https
 */
export function exposureOf(url: string, host: string): Exposure {
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return "here";
  if (protocol === "https:") return "https";
  return isLoopback(host) ? "here" : "http";
}
