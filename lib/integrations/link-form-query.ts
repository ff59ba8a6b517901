import { type Access, accesses } from "@/lib/integrations/providers/access-types";

/** A page's parsed query. */
export type Query = Record<string, string | string[] | undefined>;

/** Returns the selection in the page's query. Undefined if the query contains none. */
export function chosenIn(query: Query): Access[] | undefined {
  const named = [query.access ?? []].flat();
  if (named.length === 0 && query.chosen === undefined) return undefined;
  return accesses.filter((access) => named.includes(access));
}

/** Returns the URL of the form for a provider, with these permissions selected. */
export function choicesPath(provider: string, chosen: readonly string[], account?: string): string {
  const query = new URLSearchParams(chosen.map((access) => ["access", access]));
  query.set("chosen", "yes");
  if (account !== undefined) query.set("account", account);
  return `/integrations/link/${encodeURIComponent(provider)}?${query}`;
}
