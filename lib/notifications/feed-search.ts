import type { OwnerActor } from "@/lib/actor";
import { literal, sql } from "@/lib/database/sql";
import { scanMatches, searchFor, searchReach } from "@/lib/text/record-search";
import { type FeedFilter, feedView } from "./feed-filter";

/** How many rows a search reads at a time. Few, because texts can be long. */
const stepSize = 500;

type Glance = { id: string; title: string; body: string; at: number };

/**
 * Finds the next `max` notifications that contain every word of the search, in the view's order.
 * Stops after reading 10,000.
 */
export async function searchFeed(
  owner: OwnerActor,
  { search, before: after, ...filter }: FeedFilter & { search: string },
  max: number,
) {
  const has = searchFor(search);
  const read = (before: string | undefined) => glance(owner, { ...filter, ...(before && { before }) });
  const fits = ({ title, body }: Glance) => has([title, body]);
  const { found, ...rest } = await scanMatches(read, fits, { after, max, sizes: [stepSize], reach: searchReach });
  return { ids: found.map(({ id }) => id), ...rest };
}

async function glance(owner: OwnerActor, filter: FeedFilter): Promise<Glance[]> {
  const { from, order, at } = feedView(owner, filter);
  return sql<Glance>`
    SELECT n.id, n.title, n.body, (extract(epoch FROM ${at}) * 1000)::float8 AS at ${from}
    ORDER BY ${order} LIMIT ${literal(stepSize + 1)}`.rows();
}
