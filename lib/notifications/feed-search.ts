import type { OwnerActor } from "@/lib/actor";
import { literal, rows, sql } from "@/lib/sql";
import { searchFor, searchReach } from "@/lib/text/search";
import { type FeedFilter, feedView } from "./feed-view";

/** How many a search looks at in one go: texts are long. */
const stepSize = 500;

type Found = {
  ids: string[];
  next?: string | undefined;
  /** The time it got to when it stopped early, in epoch milliseconds. */
  reached?: number | undefined;
};
type Glance = { id: string; title: string; body: string; at: number };

/** The next `most` in which every word of the search stands, in the view's order, after looking at no more than 10,000. */
export async function searchFeed(
  owner: OwnerActor,
  { search, ...filter }: FeedFilter & { search: string },
  most: number,
): Promise<Found> {
  const has = searchFor(search);
  const ids: string[] = [];
  let { before } = filter;
  for (let seen = 0; ; ) {
    const found = await glance(owner, { ...filter, ...(before && { before }) });
    const some = found.slice(0, stepSize);
    const more = found.length > stepSize;
    for (const it of some) {
      if (!has([it.title, it.body])) continue;
      ids.push(it.id);
      if (ids.length === most) return { ids, next: more || it !== some.at(-1) ? it.id : undefined };
    }
    seen += some.length;
    before = some.at(-1)?.id;
    if (!more) return { ids };
    if (seen >= searchReach) return { ids, next: before, reached: some.at(-1)?.at };
  }
}

async function glance(owner: OwnerActor, filter: FeedFilter): Promise<Glance[]> {
  const { from, order, at } = feedView(owner, filter);
  return rows<Glance>(sql`SELECT n.id, n.title, n.body, (extract(epoch FROM ${at}) * 1000)::float8 AS at
    ${from} ORDER BY ${order} LIMIT ${literal(stepSize + 1)}`);
}
