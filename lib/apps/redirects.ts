/** How the answer reaches the app: over the web, to a program on the owner's computer, or by the app's own scheme. */
export type RedirectKind = "https" | "loopback" | "private";

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Schemes of well-known programs that have no dot in them; RFC 8252 section 7.1 asks for one. */
const knownSchemes = new Set(["cursor:", "vscode:", "vscode-insiders:", "windsurf:", "zed:", "claude:", "codex:"]);
/** Parameters that we add ourselves, each exactly once. */
const ours = ["code", "state", "iss", "error", "error_description", "error_uri"];

/**
 * Why an address cannot be registered, or undefined (RFC 9700 section 2.1, RFC 8252 section 7): only what a browser would
 * take unchanged, so that the text compared is the address visited.
 */
export function redirectProblem(uri: string): string | undefined {
  if (uri.length > 2000) return "Must be at most 2000 characters";
  if (uri.includes("*")) return "Must not have a wildcard";
  if (uri.includes("#")) return "Must not have a fragment";
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url) return "Must be a full address, like https://app.example/callback";
  if (url.username || url.password || /^[a-z.+-]+:\/\/[^/?]*@/i.test(uri))
    return "Must not have a user name or password";
  const kind = kindOf(url);
  if (!kind) return "Must be https, http on this computer (localhost), or an app's own scheme with a dot in it";
  if (url.href !== uri && url.href !== `${uri}/`) return `Must be written as ${url.href}`;
  if (kind !== "private") {
    if (!loopbackHosts.has(url.hostname) && isIpLiteral(url.hostname)) return "Must name a host, not an IP address";
    if (url.hostname.endsWith(".")) return "Must not end the host with a dot";
  }
  const reserved = ours.find((name) => url.searchParams.has(name));
  return reserved && `Must not have a parameter named ${reserved}`;
}

/** The kind of an address that could be registered. */
export const redirectKind = (uri: string): RedirectKind => kindOf(new URL(uri)) ?? "https";

function kindOf({ protocol, hostname }: URL): RedirectKind | undefined {
  if (protocol === "https:") return "https";
  if (protocol === "http:") return loopbackHosts.has(hostname) ? "loopback" : undefined;
  return protocol.includes(".") || knownSchemes.has(protocol) ? "private" : undefined;
}

const isIpLiteral = (host: string) => host.startsWith("[") || /^[\d.]+$/.test(host);

/** What the owner is shown of where the answer goes: the host, or the app's own scheme. */
export function redirectHost(uri: string): string {
  const url = new URL(uri);
  return kindOf(url) === "private" ? url.protocol : url.host;
}

/**
 * Whether an app with these addresses may have the answer sent to this one: equal as text, except that a program on the
 * owner's computer takes whatever port is free (RFC 8252 section 7.3; for `localhost` only when registered without one).
 */
export const redirectAllowed = (registered: readonly string[], asked: string): boolean =>
  registered.includes(asked) ||
  (redirectProblem(asked) === undefined && registered.some((uri) => sameButForPort(uri, asked)));

function sameButForPort(registered: string, asked: string): boolean {
  const [one, other] = [new URL(registered), new URL(asked)];
  if (one.protocol !== "http:" || other.protocol !== "http:" || one.hostname !== other.hostname) return false;
  if (one.hostname === "localhost" && one.port) return false;
  return withoutPort(registered, one) === withoutPort(asked, other);
}

/** As text, so that nothing but the port is forgiven. */
const withoutPort = (uri: string, { host, hostname }: URL) => uri.replace(`//${host}`, `//${hostname}`);
