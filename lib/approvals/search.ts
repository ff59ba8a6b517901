import type { OwnerActor } from "@/lib/actor";
import { appName } from "@/lib/apps/app-sql-for-other-domains";
import { clock } from "@/lib/clock";
import { and, list as commas, empty, literal, sql } from "@/lib/database/sql";
import { isId } from "@/lib/ids";
import { localHour, startOfDay } from "@/lib/text/local-time";
import { scanMatches, searchFor, searchReach } from "@/lib/text/record-search";
import { type Fact, factLines } from "./facts";
import { type ApprovalList, lists, waitingOrHeld } from "./inbox-queries";
import {
  type OwnedRow,
  type OwnerApproval,
  ownerApprovalColumns,
  ownerApprovalFrom,
  toOwnerApproval,
} from "./owner-view";
import type { ApprovalFilter } from "./schema";
import { orderOf } from "./statements/list-order";
import { threadTexts } from "./thread/thread-sql";

/**
 * A page of a list. `next` is the cursor of the next page. If a search stopped early, `reached` is
 * the time of the last row it read, in epoch milliseconds.
 */
export type SearchPage = { approvals: OwnerApproval[]; next?: string; reached?: number };

/**
 * A filter that can also select questions of muted apps, and questions with an open clarification.
 */
type Listing = Omit<ApprovalFilter, "list" | "sort"> & {
  list: ApprovalFilter["list"] | "muted" | "asked";
  sort?: "newest" | "longest" | undefined;
};

const parts: Record<Listing["list"], ApprovalList> = { ...lists, waiting: waitingOrHeld };

const pageSize = 50;
/**
 * The number of rows that a search reads in its first step and in each later step. The first step
 * is smaller, because most searches match near the top.
 */
const stepSizes = [500, 2_000];

/**
 * Reads a page of one of the owner's lists, filtered.
 * @param timeZone the IANA name of the time zone in which the filter's days begin and end
 * @param max the page size
 */
export async function searchApprovals(
  owner: OwnerActor,
  filter: Listing,
  timeZone = "UTC",
  max = pageSize,
): Promise<SearchPage> {
  const { found, next, reached } = await look(owner, filter, timeZone, max, searchReach);
  const approvals = await readMany(owner, idsOf(found), timeZone);
  return { approvals, ...(next && { next }), ...(reached !== undefined && { reached }) };
}

/**
 * Returns the oldest pending question of each app without a row on this page, if the list has
 * further pages. A busy app therefore can't hide the others. Returns at most 20 questions.
 */
export async function oldestOfOtherApps(
  owner: OwnerActor,
  page: SearchPage,
  timeZone = "UTC",
): Promise<OwnerApproval[]> {
  if (page.next === undefined) return [];
  const { from, where } = lists.waiting;
  const found = await sql<{ id: string }>`
    SELECT of_each.id
    FROM live_grant g
      CROSS JOIN LATERAL (
        SELECT a.id, a.created_at
        FROM ${from}
        WHERE a.owner_id = g.owner_id AND a.app_id = g.app_id AND ${where}
        ORDER BY a.created_at, a.id LIMIT 1
      ) AS of_each
    WHERE g.owner_id = ${owner.ownerId}
      AND NOT g.app_id = ANY (${page.approvals.map(({ clientId }) => clientId)}::text[])
    ORDER BY of_each.created_at, of_each.id LIMIT 20`.rows();
  return readMany(owner, idsOf(found), timeZone);
}

/** Reads all matching approvals of a list. Loads them in batches as they are consumed. */
export async function* exportApprovals(
  owner: OwnerActor,
  filter: Listing,
  timeZone = "UTC",
): AsyncGenerator<OwnerApproval[]> {
  let after = filter.after;
  do {
    const { found, next } = await look(owner, { ...filter, after }, timeZone, 200, 2_000);
    yield await readMany(owner, idsOf(found), timeZone);
    after = next;
  } while (after !== undefined);
}

/**
 * The maximum number of one app's questions that can be selected together. It equals the default
 * limit of pending approvals.
 */
const maxSelectable = 1000;

/**
 * An approval in the owner's view, without the app's longer texts. In their place, it has
 * only whether a background exists, and the times of additions.
 */
type Outline = Omit<OwnerApproval, "backgroundContext" | "additions"> & {
  hasBackground: boolean;
  additions: { createdAt: number }[];
};

/**
 * Returns the pending questions of one app, oldest first and at most `maxSelectable`, so that an
 * action can apply to all of them.
 */
export async function waitingFromApp(owner: OwnerActor, appId: string): Promise<Outline[]> {
  const all: Outline[] = [];
  for await (const found of exportApprovals(owner, { list: "waiting", sort: "longest", appId })) {
    const open = found.filter(({ triage }) => !triage.held);
    for (const { backgroundContext = "", additions, ...approval } of open)
      all.push({
        ...approval,
        hasBackground: backgroundContext.trim() !== "",
        additions: additions.map(({ createdAt }) => ({ createdAt })),
      });
    if (all.length >= maxSelectable) break;
  }
  return all.slice(0, maxSelectable);
}

/** Returns the next matches, at most `max`. Reads at most `reach` rows of the list. */
function look(owner: OwnerActor, filter: Listing, timeZone: string, max: number, reach: number) {
  const { text, by, kind, after } = filter;
  const has = text === undefined ? undefined : searchFor(text);
  const sifts = has !== undefined || by !== undefined || kind !== undefined;
  const fits = (row: Glance) =>
    (by === undefined || row.by === by) &&
    (kind === undefined || row.kind === kind) &&
    (!has || row.id === text || has(textsIn(row)));
  const read = (after: string | undefined, size: number) =>
    glance(owner, { ...filter, after }, timeZone, size, has !== undefined);
  return scanMatches(read, fits, { after, max, sizes: sifts ? stepSizes : [max], reach });
}

/** The fields of an approval that a search needs. */
type Glance = {
  id: string;
  at: number;
  by: string | null;
  kind: string | null;
  texts?: (string | null)[];
  thread?: string[] | null;
  facts?: Fact[] | null;
  options?: string;
};

/** Returns all texts of an approval that a search covers. */
function textsIn({ texts = [], thread, facts, options = "[]" }: Glance): string[] {
  const labels = (JSON.parse(options) as { label: string }[]).map(({ label }) => label);
  return [...texts.filter((text) => text !== null), ...(thread ?? []), ...factLines(facts), ...labels];
}

/**
 * Reads up to `size` + 1 rows after the cursor, in the list's order. The cursor `after` is the ID
 * of one of the owner's approvals.
 */
async function glance(
  owner: OwnerActor,
  { list, sort, appId, from, to, after }: Listing,
  timeZone: string,
  size: number,
  withTexts: boolean,
): Promise<Glance[]> {
  const moment = (day: string, later: number) => sql`to_timestamp(
    ${startOfDay(day, timeZone, later)}::float8 / 1000
  )`;
  const time = list === "answered" ? sql`a.resolved_at` : sql`a.created_at`;
  const { from: source, where } = parts[list];
  const { keys, of, descends } = orderOf(list, sort, timeZone);
  const narrows = [
    appId && sql`a.app_id = ${appId}`,
    from && sql`${time} >= ${moment(from, 0)}`,
    to && sql`${time} < ${moment(to, 1)}`,
    after &&
      isId("apr", after) &&
      sql`(${commas(keys)}) ${descends ? sql`<` : sql`>`} (
        SELECT ${of}
        FROM approval c
        WHERE c.owner_id = ${owner.ownerId} AND c.id = ${after}
      )`,
  ].filter(Boolean);
  // Most requests read an unfiltered list, and all of these share one prepared statement.
  const wanted = narrows.length > 0 ? sql` AND ${and(narrows)}` : empty;
  const texts = sql`,
    ARRAY[a.question, app.name, a.resolution ->> 'otherText', a.resolution ->> 'note'] AS texts,
    a.options::text AS options, a.facts, ${threadTexts} AS thread`;
  return sql<Glance>`
    SELECT a.id, (extract(epoch FROM ${time}) * 1000)::float8 AS at,
      a.resolution ->> 'resolvedBy' AS by,
      a.resolution ->> 'kind' AS kind${withTexts ? texts : empty}
    FROM ${source} CROSS JOIN LATERAL ${appName(sql`a.app_id`)} AS app
    WHERE a.owner_id = ${owner.ownerId} AND ${where}${wanted}
    ORDER BY ${commas(keys.map((key) => sql`${key} ${descends ? sql`DESC` : sql`ASC`}`))}
    LIMIT ${literal(size + 1)}`.rows();
}

const idsOf = (found: { id: string }[]) => found.map(({ id }) => id);

/** Reads the approvals with these IDs, in this order, if they are the owner's. */
export async function readMany(owner: OwnerActor, ids: string[], timeZone = "UTC"): Promise<OwnerApproval[]> {
  if (ids.length === 0) return [];
  const found = await sql<OwnedRow>`
    SELECT ${ownerApprovalColumns(localHour(clock.now(), timeZone))}
    FROM ${ownerApprovalFrom}
    WHERE a.owner_id = ${owner.ownerId} AND a.id = ANY(${ids}::text[])`.rows();
  const place = new Map(ids.map((id, index) => [id, index]));
  return found.map(toOwnerApproval).sort((a, b) => (place.get(a._id) ?? 0) - (place.get(b._id) ?? 0));
}
