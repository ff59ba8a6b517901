/** Who can open our pages besides this computer: nobody, or others, with or without TLS. */
export type Exposure = "here" | "http" | "https";

const isLoopback = (host: string) => host === "localhost" || /\.localhost$|^127\.|^\[?::1\]?$/.test(host);

/**
 * How far an address of ours reaches, by what the operator set.
 * @param url where owners open us
 * @param host what we listen at: with TLS somebody in front passes on what comes
 */
export function exposureOf(url: string, host: string): Exposure {
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return "here";
  if (protocol === "https:") return "https";
  return isLoopback(host) ? "here" : "http";
}
