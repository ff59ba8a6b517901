import { type Access, accesses } from "@/lib/integrations/providers/access";

/** A page's query, as Next reads it. */
export type Query = Record<string, string | string[] | undefined>;

/** What was ticked, as the address of the page keeps it; undefined where it says nothing of that. */
export function chosenIn(query: Query): Access[] | undefined {
  const named = [query.access ?? []].flat();
  if (named.length === 0 && query.chosen === undefined) return undefined;
  return accesses.filter((access) => named.includes(access));
}

/** The page on which one chooses what an account may give, with these ticked. */
export function choicesPath(provider: string, chosen: readonly Access[], account?: string): string {
  const query = new URLSearchParams(chosen.map((access) => ["access", access]));
  query.set("chosen", "yes");
  if (account !== undefined) query.set("account", account);
  return `/integrations/link/${encodeURIComponent(provider)}?${query}`;
}
