import { z } from "zod";
import type { AppActor } from "@/lib/actor";
import { badRequest, notFound } from "@/lib/errors";
import { isId, type Prefix } from "@/lib/keys/ids";
import { Wire } from "@/lib/operation";
import { empty, literal, type Sql, sameAs, sql } from "@/lib/sql";
import { wholeInput } from "@/lib/wait";
import { share } from "@/lib/work/share";
import { act, admitTo, type Statement, toAct, type Who } from "./admission";
import { batches, together } from "./together";

/** How many. */
export const limitInput = (most: number, usual: number) =>
  wholeInput(most)
    .optional()
    .meta({ default: usual, description: `How many at most: 1 to ${most}.` });

/** What every list takes: how many, and where to go on. */
export const pageInput = {
  limit: limitInput(200, 100),
  cursor: z.string().min(1).max(100).optional().describe("`nextCursor` of the previous page."),
};
/** What every list gives. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item).describe("One page of results."),
    nextCursor: z.string().optional().describe("Send it as `cursor` for the next page; absent on the last one."),
  });
export type Page = { limit?: number | undefined; cursor?: string | undefined };

/** What an app keeps here. */
type Records = {
  /** The table under an alias `a` that has owner_id, app_id, created_at and id. */
  from: Sql;
  /** The text of one item's JSON, beginning with `_id` and `_creationTime`. */
  item: Sql;
};
/** `or`: what is listed besides, which has another index. */
type List = Records & { where: Sql; or?: Sql };

/** @returns how to read one of an app's own records, as JSON text. It throws a 404 {@link AppError} */
export function reader(kind: Prefix, { from, item }: Records): (app: AppActor, id: string) => Promise<Wire> {
  const read = together<{ id: string }, { found: string | null }>({
    fields: { id: "text" },
    work: () => sql`done AS MATERIALIZED (SELECT r.n, (SELECT ${item} FROM ${from}
      WHERE a.id = r.id AND a.owner_id = r.owner_id AND a.app_id = r.app_id) AS found FROM asked r)`,
  });
  return async (app, id) => {
    const { found } = await read(app, { id: isId(kind, id) ? id : "" });
    if (found === null) throw notFound();
    return new Wire(found);
  };
}

/**
 * One page of the app's own records, newest first, as JSON text. Keyset paged: the cost does not grow with the depth, and
 * nothing is skipped or repeated while records arrive.
 * @throws {AppError} 400 for a cursor that is not one of ours
 */
export async function page(app: AppActor, { limit = 100, cursor }: Page, list: List): Promise<Wire> {
  const place = cursor === undefined ? undefined : readCursor(cursor);
  const after = place
    ? sql`AND (a.created_at, a.id) < (to_timestamp(${place.at}::bigint / 1000.0)::timestamptz(3), ${place.id})`
    : empty;
  // The LIMIT stands inside the lateral, where owner and app are constants, so that the index gives the order; and as a
  // number, since a plan made for any limit at all reckons with a tenth of the table.
  const first = sql`ORDER BY a.created_at DESC, a.id DESC LIMIT ${literal(limit + 1)}`;
  const latest = (where: Sql) =>
    sql`SELECT a.* FROM ${list.from} WHERE a.owner_id = c.owner_id AND a.app_id = c.app_id AND ${where} ${after} ${first}`;
  const rows = list.or
    ? sql`SELECT a.* FROM ((${latest(list.where)}) UNION ALL (${latest(list.or)})) AS a ${first}`
    : latest(list.where);
  const { items, count } = await readShared<{ items: string | null; count: number }>(app, {
    work: sql`found AS (
        SELECT string_agg(${list.item}, E',\\n') AS items, count(*)::int AS count FROM caller c CROSS JOIN LATERAL (${rows}) AS a)`,
    result: sql`(SELECT items FROM found), (SELECT count FROM found)`,
  });
  const { text, more } = firstItems(items ?? "", count, limit);
  const nextCursor = more ? cursorAfter(text) : undefined;
  return new Wire(`{"data":[${text}]${nextCursor ? `,"nextCursor":"${nextCursor}"` : ""}}`, nextCursor);
}

/** The same statement with the same parameters, the token among them, is sent once for all who ask before it is sent. */
async function readShared<Row extends object>(app: AppActor, work: Statement): Promise<Row> {
  if (app.via || batches.are === "of one") return act(app, work);
  const reads = toAct<Row>(app, work);
  const row = await shared(sameAs(reads), () => reads.row());
  return admitTo(app, row as (Row & Who) | undefined, work.announces);
}

/** While two are under way, the next one waits for one of them, or a quarter of a second. */
const shared = share<object | undefined>(2, 250);

/** Between two items. JSON on one line holds no newline, so it stands nowhere else. */
const separator = ",\n";

/** One item more than asked for was fetched, to know whether there are more; it is cut off again. */
function firstItems(items: string, count: number, limit: number): { text: string; more: boolean } {
  if (count <= limit) return { text: items, more: false };
  return { text: items.slice(0, items.lastIndexOf(separator)), more: true };
}

/** The last item names its own place: every item begins with its id and its time. */
function cursorAfter(text: string): string {
  const last = text.slice(text.lastIndexOf(separator) + 1);
  const [, id, at] = /"_id":"(\w+)","_creationTime":(\d+)/.exec(last) as unknown as [string, string, string];
  return Buffer.from(`${at}.${id}`).toString("base64url");
}

function readCursor(cursor: string): { at: string; id: string } {
  const parts = /^(\d{1,15})\.([a-z]{3}_[0-9a-v]{32})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (!parts || Buffer.from(parts[0]).toString("base64url") !== cursor)
    throw badRequest("Must be a cursor from this list", "cursor");
  return { at: parts[1] as string, id: parts[2] as string };
}
