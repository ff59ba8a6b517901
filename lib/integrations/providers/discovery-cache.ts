import { clock } from "@/lib/clock";
import type { ProviderFetch } from "./provider-fetch";

/**
 * How long discovery documents are cached, in milliseconds, and the maximum number of cached
 * documents.
 */
const maxAgeMs = 60 * 60_000;
const maxDocuments = 100;

type DiscoveryDocument = { body: string; until: number };
const documents = new Map<string, DiscoveryDocument>();

/**
 * Runs `read` with a fetch function that caches the issuer's discovery document for an hour. A
 * document is cached only if `read` does not throw.
 */
export async function rememberedDocument<T>(
  issuer: string,
  ask: ProviderFetch,
  read: (fetch: ProviderFetch) => Promise<T>,
): Promise<T> {
  let fresh: string | undefined;
  const config = await read(async (url, options) => {
    if (!url.endsWith("/.well-known/openid-configuration")) return ask(url, options);
    const kept = documents.get(issuer);
    if (kept && kept.until > clock.now()) return json(kept.body);
    const reply = await ask(url, options);
    if (reply.status === 200) fresh = await reply.clone().text();
    return reply;
  });
  if (fresh !== undefined) {
    documents.delete(issuer);
    documents.set(issuer, { body: fresh, until: clock.now() + maxAgeMs });
    for (const oldest of documents.keys()) if (documents.size > maxDocuments) documents.delete(oldest);
  }
  return config;
}

/** Drops the issuer's cached document. Call this if the provider may have moved its endpoints. */
export const forgetDocument = (issuer: string): void => void documents.delete(issuer);

const json = (body: string) => new Response(body, { headers: { "content-type": "application/json" } });
