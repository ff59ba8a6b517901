/**
 * How the app receives the result: through a website, a program on the owner's computer, or the
 * app's custom scheme.
 */
export type RedirectKind = "https" | "loopback" | "private";

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Custom schemes of well-known programs. They lack the dot that RFC 8252 section 7.1 asks for. */
const knownSchemes = new Set(["cursor:", "vscode:", "vscode-insiders:", "windsurf:", "zed:", "claude:", "codex:"]);
/** Parameters that we append, so a registered URI must not have them. */
const ours = ["code", "state", "iss", "error", "error_description", "error_uri"];

/**
 * Returns why a URI can't be registered, or undefined (RFC 9700 section 2.1, RFC 8252 section 7).
 * Only URIs that browsers keep unchanged are allowed, so that the compared text is the visited
 * address.
 */
export function redirectProblem(uri: string): string | undefined {
  if (uri.length > 2000) return "Must be at most 2,000 characters";
  if (uri.includes("*")) return "Must not contain a wildcard";
  if (uri.includes("#")) return "Must not contain a fragment";
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url) return "Must be a full URL, like https://app.example/callback";
  if (url.username || url.password || /^[a-z.+-]+:\/\/[^/?]*@/i.test(uri))
    return "Must not contain a username or password";
  const kind = kindOf(url);
  if (!kind) return "Must use https, http on localhost, or the app's own scheme with a dot, like com.example.app";
  if (url.href !== uri && url.href !== `${uri}/`) return `Must be written as ${url.href}`;
  if (kind !== "private") {
    if (!loopbackHosts.has(url.hostname) && isIpLiteral(url.hostname)) return "Must use a host name, not an IP address";
    if (url.hostname.endsWith(".")) return "Must use a host name without a dot at the end";
  }
  const reserved = ours.find((name) => url.searchParams.has(name));
  return reserved && `Must not contain a parameter named ${reserved}`;
}

/** Returns the kind of a registrable URI. */
export const redirectKind = (uri: string): RedirectKind => kindOf(new URL(uri)) ?? "https";

function kindOf({ protocol, hostname }: URL): RedirectKind | undefined {
  if (protocol === "https:") return "https";
  if (protocol === "http:") return loopbackHosts.has(hostname) ? "loopback" : undefined;
  return protocol.includes(".") || knownSchemes.has(protocol) ? "private" : undefined;
}

const isIpLiteral = (host: string) => host.startsWith("[") || /^[\d.]+$/.test(host);

/** Returns the host or custom scheme of a redirect URI, as the owner sees it. */
export function redirectHost(uri: string): string {
  const url = new URL(uri);
  return kindOf(url) === "private" ? url.protocol : url.host;
}

/**
 * Returns whether an app may use this redirect URI. The text must match exactly, with one
 * exception: a program on the owner's computer may use any port (RFC 8252 section 7.3). For
 * `localhost`, this exception applies only if the URI was registered without a port.
 */
export const redirectAllowed = (registered: readonly string[], target: string): boolean =>
  registered.includes(target) ||
  (redirectProblem(target) === undefined && registered.some((uri) => sameButForPort(uri, target)));

function sameButForPort(registered: string, target: string): boolean {
  const [a, b] = [new URL(registered), new URL(target)];
  if (a.protocol !== "http:" || b.protocol !== "http:" || a.hostname !== b.hostname) return false;
  if (a.hostname === "localhost" && a.port) return false;
  return withoutPort(registered, a) === withoutPort(target, b);
}

/** Removes a URI's port. Edits the text, because nothing but the port may differ. */
const withoutPort = (uri: string, { host, hostname }: URL) => uri.replace(`//${host}`, `//${hostname}`);
