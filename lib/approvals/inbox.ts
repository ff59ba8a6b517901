import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import { notFound } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { localHour } from "@/lib/local-time";
import { type OwnedApproval, type OwnedRow, onTop, owned, ownedColumns, ownedFrom } from "./owned";

/** At most 50 approvals; `next` continues after the last of them. */
export type InboxPage = { approvals: OwnedApproval[]; next?: string };

/** One app's alone; and whose day "today" is, as an IANA name (UTC unless told). */
type Only = { appId?: string | undefined; timeZone?: string | undefined };

const pageSize = 50;
/** Counting stops here: beyond 99 it shows as "99+". */
const countCap = 100;

/**
 * What waits for the owner's answer, longest waiting first: neither put off, nor with an answer that is being held, nor of a
 * muted app. `after` is the id of the approval to go on after.
 */
export const waiting = (owner: OwnerActor, only: Only & { after?: string } = {}) =>
  page(owner, "waiting", { ...only, from: only.after });

/** What waits without counting, because the owner muted the app's questions; longest waiting first. */
export const mutedWaiting = (owner: OwnerActor, only: Only = {}) => page(owner, "muted", only);

/** What the owner put off, longest waiting first. */
export const snoozed = (owner: OwnerActor, only: Only & { after?: string } = {}) =>
  page(owner, "snoozed", { ...only, from: only.after });

/** What the owner has answered and may still take back, longest waiting first. */
export const held = (owner: OwnerActor, only: Only = {}) => page(owner, "held", only);

/** What has been answered, latest answer first. `before` is the id of the approval to go on after. */
export const answered = (owner: OwnerActor, only: Only & { before?: string } = {}) =>
  page(owner, "answered", { ...only, from: only.before });

/** One approval. @throws {AppError} 404 */
export async function readApproval(owner: OwnerActor, id: string, { timeZone }: Only = {}): Promise<OwnedApproval> {
  const { rows } = await pool().query<OwnedRow>({
    name: "inbox/read",
    text: `SELECT ${ownedColumns("$3")} FROM ${ownedFrom} WHERE a.owner_id = $1 AND a.id = $2`,
    values: [owner.ownerId, isId("apr", id) ? id : "", today(timeZone)],
  });
  if (!rows[0]) throw notFound();
  return owned(rows[0]);
}

/** How many of each list there are, of connected and revoked apps alike. Never more than 100 of each. */
export async function countInbox(
  owner: OwnerActor,
  { appId }: { appId?: string } = {},
): Promise<{ waiting: number; muted: number; snoozed: number }> {
  const count = (list: keyof typeof lists) =>
    `(SELECT count(*)::int FROM (SELECT FROM ${ownedFrom} WHERE a.owner_id = $1 AND ${lists[list]}
      ${appId ? "AND a.app_id = $2" : ""} LIMIT ${countCap}) AS capped) AS ${list}`;
  const { rows } = await pool().query<{ waiting: number; muted: number; snoozed: number }>({
    name: `inbox/counts${appId ? "-app" : ""}`,
    text: `SELECT ${count("waiting")}, ${count("muted")}, ${count("snoozed")}`,
    values: [owner.ownerId, ...(appId ? [appId] : [])],
  });
  return rows[0] ?? { waiting: 0, muted: 0, snoozed: 0 };
}

/** How many wait, as `waiting` lists them. Never more than 100. */
export const countWaiting = async (owner: OwnerActor, only: { appId?: string } = {}): Promise<number> =>
  (await countInbox(owner, only)).waiting;

/** The parts that the owner's approvals fall into; each is in exactly one. */
export const lists = {
  waiting: `a.status = 'pending' AND ${onTop} AND coalesce(ch.questions_muted, false) = false`,
  muted: `a.status = 'pending' AND ${onTop} AND ch.questions_muted`,
  snoozed: `a.status = 'pending' AND d.held_answer IS NULL AND d.snoozed_until > now()`,
  held: `a.status = 'pending' AND d.held_answer IS NOT NULL`,
  answered: `a.status = 'resolved'`,
};

type Range = Only & { from?: string | undefined };

/** Keyset paged by (time, id). The cursor is an approval's id; its time is looked up among the owner's own. */
async function page(owner: OwnerActor, list: keyof typeof lists, { appId, timeZone, from }: Range): Promise<InboxPage> {
  const after = from !== undefined && isId("apr", from);
  const [order, direction, beyond] = list === "answered" ? ["resolved_at", "DESC", "<"] : ["created_at", "ASC", ">"];
  const { rows } = await pool().query<OwnedRow>({
    name: `inbox/${list}${appId ? "-app" : ""}${after ? "-on" : ""}`,
    text: `SELECT ${ownedColumns("$2")} FROM ${ownedFrom}
      WHERE a.owner_id = $1 AND ${lists[list]} ${appId ? "AND a.app_id = $3" : ""}
      ${after ? `AND (a.${order}, a.id) ${beyond} (SELECT coalesce(c.${order}, c.created_at), c.id FROM approval c WHERE c.owner_id = $1 AND c.id = $${appId ? 4 : 3})` : ""}
      ORDER BY a.${order} ${direction}, a.id ${direction} LIMIT ${pageSize + 1}`,
    values: [owner.ownerId, today(timeZone), ...(appId ? [appId] : []), ...(after ? [from] : [])],
  });
  const approvals = rows.slice(0, pageSize).map(owned);
  const last = approvals.at(-1);
  return { approvals, ...(rows.length > pageSize && last && { next: last._id }) };
}

/** When the day began; the service's own clock is good enough for what is only told. */
const today = (timeZone = "UTC") => localHour(Date.now(), timeZone);
