import { z } from "zod";
import type { AppActor } from "@/lib/actor";
import { RawJson } from "@/lib/api-operation";
import { empty, literal, type Sql, sql } from "@/lib/database/sql";
import { badRequest, notFound } from "@/lib/errors";
import { isId, type Prefix } from "@/lib/ids";
import { positiveIntParam } from "@/lib/wait-param";
import { batchedStatement } from "./batched-statement";

/** The query parameter for the page size. */
export const limitParam = (max: number, usual: number) =>
  positiveIntParam(max)
    .optional()
    .meta({ default: usual, description: `The maximum number of results, 1 to ${max}.` });

/** The query parameters of every list. */
export const pageParams = {
  limit: limitParam(200, 100),
  cursor: z.string().min(1).max(100).optional().describe("The `nextCursor` of the previous page."),
};
/**
 * The schema of a list's response.
 * @param id the schema's name in OpenAPI
 */
export const pageSchema = <T extends z.ZodType>(item: T, id: string) =>
  z
    .object({
      data: z.array(item).describe("One page of results."),
      nextCursor: z
        .string()
        .optional()
        .describe("The cursor for the next page; absent on the last page. Send the value as `cursor`."),
    })
    .meta({ id });
export type PageParams = { limit?: number | undefined; cursor?: string | undefined };

/** A kind of record that belongs to an app. */
type Records = {
  /** The table, with the alias `a` and the columns owner_id, app_id, created_at and id. */
  from: Sql;
  /** An item's JSON text, beginning with `_id` and `_creationTime`. */
  item: Sql;
};
/**
 * A list of records. `where` may refer to the filter as `r.only`. `or` adds records found through
 * another index.
 */
type List = Records & { where: Sql; or?: Sql };

/**
 * Creates a function that returns one of an app's own records as JSON text. It throws a 404 {@link
 * AppError} if there is none.
 */
export function recordReader(kind: Prefix, { from, item }: Records): (app: AppActor, id: string) => Promise<RawJson> {
  const read = batchedStatement<{ id: string }, { found: string | null }>({
    fields: { id: "text" },
    read: () => sql`
      SELECT (
        SELECT ${item}
        FROM ${from}
        WHERE a.id = r.id AND a.owner_id = r.owner_id AND a.app_id = r.app_id
      ) AS found`,
  });
  return async (app, id) => {
    const { found } = await read(app, { id: isId(kind, id) ? id : "" });
    if (found === null) throw notFound();
    return new RawJson(found);
  };
}

/** The cursor and the filter of a page. Nulls mean the first page, and no filter. */
type PageCursor = { at: string | null; id: string | null; only: string | null };
type PageRow = { items: string | null; count: number };

/**
 * Creates a function that returns a page of the app's own records as JSON text, newest first. Pages
 * start after a key, so their cost doesn't grow with the depth, and no record is skipped or
 * repeated while others are added. Identical waiting requests share one read.
 * @returns the function; it throws a 400 {@link AppError} for an invalid cursor
 */
export function pageReader(list: List): (app: AppActor, page: PageParams, only?: string) => Promise<RawJson> {
  const [first, next] = [new Map<number, PageReader>(), new Map<number, PageReader>()];
  return async (app, { limit = 100, cursor }, only) => {
    const place = cursor === undefined ? undefined : readCursor(cursor);
    const readers = place ? next : first;
    let read = readers.get(limit);
    if (!read) readers.set(limit, (read = batchedPage(list, limit, place !== undefined)));
    const found = await read(app, { at: place?.at ?? null, id: place?.id ?? null, only: only ?? null });
    let page = pages.get(found);
    if (!page) pages.set(found, (page = pageAs(found, limit)));
    noteSize(app, page.size, Math.min(found.count, limit));
    return new RawJson(page.text, page.nextCursor);
  };
}

type PageText = { text: string; nextCursor: string | undefined; size: number };
/**
 * The text of each read. Requests that share a read share the text, which may be long and wait for
 * slow clients.
 */
const pages = new WeakMap<PageRow, PageText>();

function pageAs({ items, count }: PageRow, limit: number): PageText {
  const { text, more } = firstItems(items ?? "", count, limit);
  const nextCursor = more ? cursorAfter(text) : undefined;
  return {
    text: `{"data":[${text}]${nextCursor ? `,"nextCursor":"${nextCursor}"` : ""}}`,
    nextCursor,
    size: text.length,
  };
}

type PageReader = (app: AppActor, place: PageCursor) => Promise<PageRow>;

const placeAsked = sql`(to_timestamp(r.at / 1000.0)::timestamptz(3), r.id)`;

function batchedPage(list: List, limit: number, goesOn: boolean): PageReader {
  const after = goesOn ? sql`AND (a.created_at, a.id) < ${placeAsked}` : empty;
  // The LIMIT is inside the lateral join, where the owner and the app are constants, so that the
  // index provides the order. It is a literal, because PostgreSQL would plan an unknown limit for a
  // tenth of the table.
  const first = sql`ORDER BY a.created_at DESC, a.id DESC LIMIT ${literal(limit + 1)}`;
  const latest = (where: Sql) =>
    sql`
      SELECT a.*
      FROM ${list.from}
      WHERE a.owner_id = r.owner_id AND a.app_id = r.app_id AND ${where} ${after} ${first}`;
  const rows = list.or
    ? sql`SELECT a.* FROM ((${latest(list.where)}) UNION ALL (${latest(list.or)})) AS a ${first}`
    : latest(list.where);
  return batchedStatement<PageCursor, PageRow>({
    ...{ long: true, shares: true },
    // More than the default, so that batches stay small, and long pages don't delay other apps'
    // short ones.
    concurrency: 4,
    fields: { at: "bigint", id: "text", only: "text" },
    maxBatch: maxPages,
    bytes: (grant) => limit * (sizes.get(grant) ?? usualSize),
    read: () => sql`
      SELECT string_agg(${list.item}, E',\\n') AS items, count(*)::int AS count
      FROM (${rows}) AS a`,
  });
}

/**
 * The maximum number of pages in a statement, and their maximum total size. Long pages run alone,
 * so that they delay no other page, and don't fill the memory together.
 */
const maxPages = { items: 8, bytes: 512 * 1024 };
/** The assumed length of an item, in characters, before any is known. Most items are shorter. */
const usualSize = 4096;
/**
 * The average length of an item by grant, for grants with long pages. Each further page counts for
 * a tenth.
 */
const sizes = new Map<string, number>();
/** The maximum number of entries. Beyond it, the cache is cleared. */
const maxSizes = 50_000;

function noteSize({ admitted }: AppActor, size: number, items: number) {
  if (!admitted || items === 0) return;
  const { grantId } = admitted;
  if (sizes.size > maxSizes) sizes.clear();
  sizes.set(grantId, Math.max((sizes.get(grantId) ?? 0) * 0.9, size / items));
}

/** The separator between items. Single-line JSON contains no newline. */
const separator = ",\n";

/** Drops the last item, which was read only to see whether there is another page. */
function firstItems(items: string, count: number, limit: number): { text: string; more: boolean } {
  if (count <= limit) return { text: items, more: false };
  return { text: items.slice(0, items.lastIndexOf(separator)), more: true };
}

/** Returns the cursor after the last item. Each item begins with its ID and time. */
function cursorAfter(text: string): string {
  const last = text.slice(text.lastIndexOf(separator) + 1);
  const [, id, at] = /"_id":"(\w+)","_creationTime":(\d+)/.exec(last) as unknown as [string, string, string];
  return Buffer.from(`${at}.${id}`).toString("base64url");
}

/**
 * Parses a cursor. The cursor contains a time and an ID, so it works even if its item no longer
 * exists, as after a database restore.
 */
function readCursor(cursor: string): { at: string; id: string } {
  const parts = /^(\d{1,15})\.([a-z]{3}_[0-9a-v]{32})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (!parts || Buffer.from(parts[0]).toString("base64url") !== cursor)
    throw badRequest("Must be a cursor from this list", "cursor");
  return { at: parts[1] as string, id: parts[2] as string };
}
