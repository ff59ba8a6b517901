import type { CustomFetch } from "openid-client";
import { FetchRefused, type GuardedReply, guardedFetch } from "@/lib/net/guarded-fetch";

/** The timeout of one request to a provider, in milliseconds. A call may need several requests. */
export const providerMilliseconds = 10_000;
/**
 * Maximum size of a provider's response, in bytes. The largest responses are key sets and lists of
 * scopes.
 */
const bytes = 256 * 1024;

/** The fetch function that openid-client gets. */
export type ProviderFetch = CustomFetch;

/**
 * Returns the function that makes all requests to a provider. The provider names its endpoints'
 * URLs, so `guardedFetch` checks them like any untrusted address. A request ends when `signal`
 * aborts or after ten seconds, and follows no redirect.
 */
export const providerFetch =
  (signal: AbortSignal): ProviderFetch =>
  async (url, { method, headers, body, signal: also }) => {
    // Drops the library's User-Agent, because requests identify the service.
    const { "user-agent": _, ...own } = Object.fromEntries(new Headers(headers));
    const reply = await guardedFetch(new URL(url), {
      method: method as "GET" | "POST" | "DELETE",
      headers: own,
      ...(body != null && { body: String(body) }),
      milliseconds: providerMilliseconds,
      bytes,
      signal: also ? AbortSignal.any([signal, also]) : signal,
    });
    return asResponse(reply);
  };

function asResponse({ status, headers, body }: GuardedReply): Response {
  if (status < 200 || status > 599) throw new FetchRefused(`The response has the status ${status}`);
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) given.append(name, each);
  }
  // These statuses have no body.
  return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers: given });
}
