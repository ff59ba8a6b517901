import { type Shard, shardNumbered } from "./shard-map";

/*
 * A router in front of several PostgreSQL clusters reads from a comment where a statement goes
 * (SPQR: https://docs.pgsharding.io). The comment names the shard, not the home. Each shard has its
 * own pool, so a connection sends only one comment, and has one prepared statement for each text.
 */

/** Returns the comment for a shard, or an empty text if it has no router. */
export const routerComment = ({ name, router }: Omit<Shard, "number">): string =>
  router === "spqr" ? `/* __spqr__execute_on: ${name} */ ` : "";

/**
 * Adds a comment to the text of a query in any of the forms that pg accepts: text, a text with
 * options, or a query object.
 */
export function withComment<Query>(comment: string, query: Query): Query {
  if (typeof query === "string") return `${comment}${query}` as Query;
  if (query === null || typeof query !== "object" || !("text" in query)) return query;
  const text = `${comment}${query.text}`;
  return "submit" in query ? Object.assign(query, { text }) : { ...query, text };
}

/** Returns the comment of each statement that goes to a shard. */
export const commentOfShard = (shard: number): string => routerComment(shardNumbered(shard));
