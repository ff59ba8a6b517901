import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import { isId } from "@/lib/keys/ids";
import { localHour, startOfDay } from "@/lib/text/local-time";
import { searchFor, searchReach } from "@/lib/text/search";
import { lists } from "./inbox";
import { type OwnedApproval, type OwnedRow, owned, ownedColumns, ownedFrom } from "./owned";
import type { ApprovalFilter } from "./schema";
import { talkTexts } from "./talk";

/** At most 50. `next` continues after it; `reached` is there when a search stopped early: the time it got to, epoch ms. */
export type Found = { approvals: OwnedApproval[]; next?: string; reached?: number };

/** What to find; also among what waits in muted apps, and what the owner asked back about. */
type Listing = Omit<ApprovalFilter, "list"> & { list: ApprovalFilter["list"] | "muted" | "asked" };

// An answer that is being held keeps its row's place.
const parts = { ...lists, waiting: `(${lists.waiting} OR ${lists.held})` };

const pageSize = 50;
/** How many a search looks at in one go: few at first, since most find what they seek near the top. */
const stepSizes = [500, 2_000];

/**
 * One of the owner's lists, narrowed as asked: what waits, is put off, or is answered.
 * @param timeZone an IANA name: where the filter's days begin and end
 */
export async function findApprovals(owner: OwnerActor, filter: Listing, timeZone = "UTC"): Promise<Found> {
  const { ids, next, reached } = await look(owner, filter, timeZone, pageSize, searchReach);
  const approvals = await readAll(owner, ids, timeZone);
  return { approvals, ...(next && { next }), ...(reached !== undefined && { reached }) };
}

/**
 * The longest waiting question of each app of which a page of what waits has none, at most 20: however much one app asks,
 * the others' questions stay in sight.
 */
export async function overlooked(owner: OwnerActor, page: Found, timeZone = "UTC"): Promise<OwnedApproval[]> {
  if (page.next === undefined) return [];
  const { rows } = await pool().query<{ id: string }>({
    name: "inbox/overlooked",
    text: `SELECT of_each.id FROM app_grant g CROSS JOIN LATERAL (
        SELECT a.id, a.created_at FROM ${ownedFrom} WHERE a.owner_id = g.owner_id AND a.app_id = g.app_id AND ${lists.waiting}
        ORDER BY a.created_at, a.id LIMIT 1) AS of_each
      WHERE g.owner_id = $1 AND g.revoked_at IS NULL AND g.app_id <> ALL ($2::text[])
      ORDER BY of_each.created_at, of_each.id LIMIT 20`,
    values: [owner.ownerId, page.approvals.map(({ clientId }) => clientId)],
  });
  return readAll(
    owner,
    rows.map(({ id }) => id),
    timeZone,
  );
}

/** All of it, so many at a time, as they are wanted. */
export async function* exportApprovals(
  owner: OwnerActor,
  filter: Listing,
  timeZone = "UTC",
): AsyncGenerator<OwnedApproval[]> {
  let after = filter.after;
  do {
    const { ids, next } = await look(owner, { ...filter, after }, timeZone, 200, 2_000);
    yield await readAll(owner, ids, timeZone);
    after = next;
  } while (after !== undefined);
}

type Looked = { ids: string[]; next?: string | undefined; reached?: number | undefined };

/** The next `most` that fit, after looking at no more than `reach` of the list. */
async function look(
  owner: OwnerActor,
  filter: Listing,
  timeZone: string,
  most: number,
  reach: number,
): Promise<Looked> {
  const { text, by, kind } = filter;
  const has = text === undefined ? undefined : searchFor(text);
  const sifts = has !== undefined || by !== undefined || kind !== undefined;
  const fits = (it: Glance) =>
    (by === undefined || it.by === by) &&
    (kind === undefined || it.kind === kind) &&
    (!has || it.id === text || has(saidIn(it)));
  const ids: string[] = [];
  let after = filter.after;
  for (let seen = 0, step = 0; ; step++) {
    const size = sifts ? Math.min(stepSizes[Math.min(step, 1)] ?? most, reach - seen) : most;
    const rows = await glance(owner, { ...filter, after }, timeZone, size, has !== undefined);
    const some = rows.slice(0, size);
    const more = rows.length > size;
    for (const it of some) {
      if (!fits(it)) continue;
      ids.push(it.id);
      if (ids.length === most) return { ids, next: more || it !== some.at(-1) ? it.id : undefined };
    }
    seen += some.length;
    after = some.at(-1)?.id;
    if (!more) return { ids };
    if (seen >= reach) return { ids, next: after, reached: some.at(-1)?.at };
  }
}

/** What a search needs to know of an approval. */
type Glance = {
  id: string;
  at: number;
  by: string | null;
  kind: string | null;
  said?: (string | null)[];
  talk?: string[] | null;
  options?: string;
};

/** Every text of it that the owner may remember. */
function saidIn({ said = [], talk, options = "[]" }: Glance): string[] {
  const labels = (JSON.parse(options) as { label: string }[]).map(({ label }) => label);
  return [...said.filter((text) => text !== null), ...(talk ?? []), ...labels];
}

/** Keyset paged in the list's order. The cursor is an approval's id; its place is looked up among the owner's own. */
async function glance(
  owner: OwnerActor,
  { list, sort = "longest", appId, from, to, after }: Listing,
  timeZone: string,
  size: number,
  withTexts: boolean,
): Promise<Glance[]> {
  const values: (string | number)[] = [owner.ownerId];
  const given = (value: string | number) => `$${values.push(value)}`;
  const moment = (day: string, later: number) =>
    `to_timestamp(${given(startOfDay(day, timeZone, later))}::float8 / 1000)`;
  const time = list === "answered" ? "resolved_at" : "created_at";
  const { keys, direction, beyond } = orders[list === "answered" || list === "passed" ? list : sort];
  const keysOf = (a: string, app: string) => keys.map((key) => key.replace("a.", `${a}.`).replace("app.", `${app}.`));
  const conditions = [
    appId && `a.app_id = ${given(appId)}`,
    from && `a.${time} >= ${moment(from, 0)}`,
    to && `a.${time} < ${moment(to, 1)}`,
    after &&
      isId("apr", after) &&
      // Answered meanwhile or not answered at all: it then stands where it stood when it was asked.
      `(${keysOf("a", "app").join(", ")}) ${beyond} (SELECT ${keysOf("c", "b")
        .map((key) => (key === "c.resolved_at" ? "coalesce(c.resolved_at, c.created_at)" : key))
        .join(", ")} FROM approval c JOIN app b ON b.id = c.app_id WHERE c.owner_id = $1 AND c.id = ${given(after)})`,
  ].filter(Boolean);
  const texts = `, ARRAY[a.question, app.name, a.resolution ->> 'otherText', a.resolution ->> 'note'] AS said, a.options::text AS options, ${talkTexts} AS talk`;
  const { rows } = await pool().query<Glance>(
    `SELECT a.id, (extract(epoch FROM a.${time}) * 1000)::float8 AS at, a.resolution ->> 'resolvedBy' AS by,
        a.resolution ->> 'kind' AS kind ${withTexts ? texts : ""}
      FROM ${ownedFrom} WHERE ${["a.owner_id = $1", parts[list], ...conditions].join(" AND ")}
      ORDER BY ${keys.map((key) => `${key} ${direction}`).join(", ")} LIMIT ${size + 1}`,
    values,
  );
  return rows;
}

const orders = {
  longest: { keys: ["a.created_at", "a.id"], direction: "ASC", beyond: ">" },
  newest: { keys: ["a.created_at", "a.id"], direction: "DESC", beyond: "<" },
  deadline: {
    keys: ["coalesce(a.expires_at, 'infinity')", "a.created_at", "a.id"],
    direction: "ASC",
    beyond: ">",
  },
  passed: { keys: ["a.created_at", "a.id"], direction: "DESC", beyond: "<" },
  app: { keys: ["app.name", "a.app_id", "a.created_at", "a.id"], direction: "ASC", beyond: ">" },
  answered: { keys: ["a.resolved_at", "a.id"], direction: "DESC", beyond: "<" },
} as const;

/** These approvals of the owner's, in this order. */
export async function readAll(owner: OwnerActor, ids: string[], timeZone = "UTC"): Promise<OwnedApproval[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool().query<OwnedRow>({
    name: "inbox/these",
    text: `SELECT ${ownedColumns("$2")} FROM ${ownedFrom} WHERE a.owner_id = $1 AND a.id = ANY($3::text[])`,
    values: [owner.ownerId, localHour(Date.now(), timeZone), ids],
  });
  const place = new Map(ids.map((id, index) => [id, index]));
  return rows.map(owned).sort((one, other) => (place.get(one._id) ?? 0) - (place.get(other._id) ?? 0));
}
