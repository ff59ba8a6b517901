import { isIP } from "node:net";
import { env } from "@/lib/config/env";

/** Returns whether a client_id is the URL of a metadata document and not one of our IDs. */
export const isMetadataUrl = (clientId: string): boolean => /^https?:\/\//i.test(clientId);

/**
 * Returns why a URL can't be a client_id, or undefined if it can
 * (draft-ietf-oauth-client-id-metadata-document section 3). The URL must be normalized, so that
 * each app has one URL and the owner sees the host that we contact.
 */
export function metadataUrlProblem(clientId: string): string | undefined {
  if (clientId.length > 1000) return "Must be at most 1,000 characters";
  if (!URL.canParse(clientId)) return "Must be a URL";
  const url = new URL(clientId);
  if (url.username || url.password) return "Must not contain a username or password";
  if (clientId.includes("#")) return "Must not contain a fragment";
  // The URL parser rewrites dot segments, unusual spellings and empty usernames.
  if (url.href !== clientId) return `Must be written as ${url.href}`;
  if (url.pathname === "/") return "Must have a path";
  if (env().allowPrivateFetch.includes(url.origin)) return undefined;
  if (url.protocol !== "https:") return "Must be an https address";
  if (isIP(url.hostname.replace(/^\[|\]$/g, ""))) return "Must use a host name, not an IP address";
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname)) return "Must have a public host name";
  return undefined;
}
