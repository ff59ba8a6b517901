import { z } from "zod";
import type { AppActor } from "@/lib/actor";
import { badRequest } from "@/lib/errors";
import { Wire } from "@/lib/operation";
import { act } from "./admission";

/** What every list takes: how many, and where to go on. Values arrive as text from the query. */
export const pageInput = {
  limit: z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,3}$/)
          .transform(Number),
      ],
      "Must be a whole number from 1 to 200",
    )
    .pipe(z.int().min(1, "Must be at least 1").max(200, "Must be at most 200"))
    .optional()
    .meta({ override: true, type: "integer", minimum: 1, maximum: 200, default: 100 }),
  cursor: z.string().min(1).max(100).optional().describe("`nextCursor` of the page before."),
};
export type Page = { limit?: number | undefined; cursor?: string | undefined };

type List = {
  /** Names the prepared statement; one for each `where`. */
  name: string;
  /** The table under an alias `a` that has owner_id, app_id, created_at and id. */
  from: string;
  where: string;
  /** SQL text of one item's JSON. */
  item: string;
  /** Values of `where`, from $6. */
  values?: readonly unknown[];
};

/**
 * One page of the app's own records, newest first, as JSON text. Keyset paged: the cost does not grow with the depth, and
 * nothing is skipped or repeated while records arrive.
 * @throws {AppError} 400 for a cursor that is not one of ours
 */
export async function page(app: AppActor, { limit = 100, cursor }: Page, list: List): Promise<Wire> {
  const from = cursor === undefined ? undefined : readCursor(cursor);
  // The LIMIT stands inside the lateral, where owner and app are constants, so that the index gives the order.
  const { items, last } = await act<{ items: string | null; last: string | null }>(app, {
    name: `${list.name}${from ? "-after" : ""}`,
    work: `found AS (
      SELECT a.* FROM caller c CROSS JOIN LATERAL (
        SELECT a.*, row_number() OVER () AS n FROM (
          SELECT a.* FROM ${list.from}
          WHERE a.owner_id = c.owner_id AND a.app_id = c.app_id AND ${list.where}
            AND ${from ? "(a.created_at, a.id) < (to_timestamp($4::bigint / 1000.0)::timestamptz(3), $5)" : "$4::bigint IS NULL AND $5::text IS NULL"}
          ORDER BY a.created_at DESC, a.id DESC LIMIT $3::int + 1) AS a) AS a
    )`,
    result: `(SELECT string_agg(${list.item}, ',' ORDER BY n) FROM found a WHERE n <= $3) AS items,
      (SELECT (extract(epoch FROM l.created_at) * 1000)::bigint || '.' || l.id FROM found l, found more WHERE l.n = $3 AND more.n = $3 + 1) AS last`,
    values: [limit, from?.at ?? null, from?.id ?? null, ...(list.values ?? [])],
  });
  const nextCursor = last === null ? undefined : Buffer.from(last).toString("base64url");
  return new Wire(`{"data":[${items ?? ""}]${nextCursor ? `,"nextCursor":"${nextCursor}"` : ""}}`, nextCursor);
}

function readCursor(cursor: string): { at: string; id: string } {
  const parts = /^(\d{1,15})\.([a-z]{3}_[0-9a-v]{32})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (!parts || Buffer.from(parts[0]).toString("base64url") !== cursor)
    throw badRequest("Is not a cursor that this list gave", "cursor");
  return { at: parts[1] as string, id: parts[2] as string };
}
