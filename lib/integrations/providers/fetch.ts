import type { CustomFetch } from "openid-client";
import { FetchRefused, type GuardedReply, guardedFetch } from "@/lib/net/guarded-fetch";

/** Most that a provider may take over one of our calls, however many requests that needs. */
export const providerMilliseconds = 10_000;
/** Most that a reply of a provider may hold: the largest are key sets and lists of scopes. */
const bytes = 256 * 1024;

/** Asks a provider: openid-client's fetch. */
export type ProviderFetch = CustomFetch;

/**
 * How providers are asked, and the only way: as any address that somebody else chose is (see guardedFetch), since a provider
 * names the addresses of all it offers. Ends within `signal` and ten seconds at the latest, follows no redirect.
 * @param ours an origin that we put there ourselves
 */
export const providerFetch =
  (signal: AbortSignal, ours?: string): ProviderFetch =>
  async (url, { method, headers, body, signal: also }) => {
    // Who asks is us, not the library that we ask with.
    const { "user-agent": _, ...own } = Object.fromEntries(new Headers(headers));
    const reply = await guardedFetch(new URL(url), {
      method: method as "GET" | "POST" | "DELETE",
      headers: own,
      ...(body != null && { body: String(body) }),
      milliseconds: providerMilliseconds,
      bytes,
      signal: also ? AbortSignal.any([signal, also]) : signal,
      ours,
    });
    return asResponse(reply);
  };

function asResponse({ status, headers, body }: GuardedReply): Response {
  if (status < 200 || status > 599) throw new FetchRefused(`The reply has the status ${status}`);
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) given.append(name, each);
  }
  // What these say is that there is no body.
  return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers: given });
}
