import { isIP } from "node:net";
import { env } from "@/lib/config/env";

/** Whether a client_id is an address rather than an id of ours: what it says of itself is to be read there. */
export const isMetadataUrl = (clientId: string): boolean => /^https?:\/\//i.test(clientId);

/**
 * Why an address cannot be a client_id, or undefined (draft-ietf-oauth-client-id-metadata-document section 3). It must be
 * written as a browser would write it, so that one app has one address and the owner reads the host that is asked.
 */
export function metadataUrlProblem(clientId: string): string | undefined {
  if (clientId.length > 1000) return "must be at most 1000 characters";
  if (!URL.canParse(clientId)) return "must be an address";
  const url = new URL(clientId);
  if (url.username || url.password) return "must not have a user name or password";
  if (clientId.includes("#")) return "must not have a fragment";
  // Dot segments, odd spellings and empty user names do not survive the parser.
  if (url.href !== clientId) return "must be written without detours";
  if (url.pathname === "/") return "must have a path";
  if (env().allowPrivateFetch.includes(url.origin)) return undefined;
  if (url.protocol !== "https:") return "must be https";
  if (isIP(url.hostname.replace(/^\[|\]$/g, ""))) return "must name a host, not an IP address";
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname)) return "must name a host of the internet";
  return undefined;
}
