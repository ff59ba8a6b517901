import { type Access, accesses } from "@/lib/integrations/providers/access-types";

/** A page's parsed query. */
export type Query = Record<string, string | string[] | undefined>;

/** Returns the selection in the page's query, or undefined if the query contains none. */
export function chosenIn(query: Query): Access[] | undefined {
  const named = [query.access ?? []].flat();
  if (named.length === 0 && query.chosen === undefined) return undefined;
  return accesses.filter((access) => named.includes(access));
}

/**
 * Returns the URL of a provider's link form, with these permissions selected.
 * @param account the ID of the linked account to reconnect; undefined for a new account
 */
export function choicesPath(provider: string, chosen: readonly string[], account?: string): string {
  const query = new URLSearchParams(chosen.map((access) => ["access", access]));
  query.set("chosen", "yes");
  if (account !== undefined) query.set("account", account);
  return `/integrations/link/${encodeURIComponent(provider)}?${query}`;
}
