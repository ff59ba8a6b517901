import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import { AppError, notFound } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { resolveApproval } from "./approvals";
import type { Answer, Approval, ApprovalOption, Resolution } from "./schema";

/** An approval as its owner sees it, with who asks. */
export type OwnedApproval = Approval & { app: AskingApp };

/** `host` is where the app says it lives (its first https redirect address); `revoked` means that it cannot read the answer. */
export type AskingApp = { name: string; host?: string; revoked: boolean };

/** At most 50 approvals; `next` continues after the last of them. */
export type InboxPage = { approvals: OwnedApproval[]; next?: string };

const pageSize = 50;
/** Counting stops here: beyond 99 it shows as "99+". */
const countCap = 100;

/** What waits for the owner's answer, longest waiting first. `after` is the id of the approval to go on after. */
export const waiting = (owner: OwnerActor, { appId, after }: { appId?: string; after?: string } = {}) =>
  page(owner, { status: "pending", appId, from: after, order: "created_at", direction: "ASC" });

/** What has been answered, latest answer first. `before` is the id of the approval to go on after. */
export const answered = (owner: OwnerActor, { appId, before }: { appId?: string; before?: string } = {}) =>
  page(owner, { status: "resolved", appId, from: before, order: "resolved_at", direction: "DESC" });

/** One approval. @throws {AppError} 404 */
export async function readApproval(owner: OwnerActor, id: string): Promise<OwnedApproval> {
  const { rows } = await pool().query<Row>({
    name: "inbox/read",
    text: `SELECT ${columns} FROM approval a JOIN app ON app.id = a.app_id WHERE a.owner_id = $1 AND a.id = $2`,
    values: [owner.ownerId, isId("apr", id) ? id : ""],
  });
  if (!rows[0]) throw notFound();
  return owned(rows[0]);
}

/** How many wait, of connected and revoked apps alike. Never more than 100. */
export async function countWaiting(owner: OwnerActor, { appId }: { appId?: string } = {}): Promise<number> {
  const { rows } = await pool().query<{ waiting: number }>({
    name: `inbox/count${appId ? "-app" : ""}`,
    text: `SELECT count(*)::int AS waiting FROM (SELECT FROM approval WHERE owner_id = $1 AND status = 'pending'
      ${appId ? "AND app_id = $2" : ""} LIMIT ${countCap}) AS capped`,
    values: [owner.ownerId, ...(appId ? [appId] : [])],
  });
  return rows[0]?.waiting ?? 0;
}

/**
 * The owner answers. Where somebody was quicker nothing changes and `won` is false; `resolution` is what holds either way.
 * @throws {AppError} 404, 400 for an option that was not offered
 */
export async function answerApproval(
  owner: OwnerActor,
  id: string,
  answer: Answer,
): Promise<{ won: boolean; resolution: Resolution }> {
  const won = await resolveApproval(owner, id, answer).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.status === 409) return false;
      throw error;
    },
  );
  const { resolution } = await readApproval(owner, id);
  return { won, resolution: resolution as Resolution };
}

type Range = {
  status: Approval["status"];
  appId: string | undefined;
  from: string | undefined;
  order: "created_at" | "resolved_at";
  direction: "ASC" | "DESC";
};

/** Keyset paged by (time, id). The cursor is an approval's id; its time is looked up among the owner's own. */
async function page(owner: OwnerActor, { status, appId, from, order, direction }: Range): Promise<InboxPage> {
  const after = from !== undefined && isId("apr", from);
  const { rows } = await pool().query<Row>({
    name: `inbox/${status}${appId ? "-app" : ""}${after ? "-on" : ""}`,
    text: `SELECT ${columns} FROM approval a JOIN app ON app.id = a.app_id
      WHERE a.owner_id = $1 AND a.status = '${status}' ${appId ? "AND a.app_id = $2" : ""}
      ${after ? `AND (a.${order}, a.id) ${direction === "ASC" ? ">" : "<"} (SELECT coalesce(c.${order}, c.created_at), c.id FROM approval c WHERE c.owner_id = $1 AND c.id = $${appId ? 3 : 2})` : ""}
      ORDER BY a.${order} ${direction}, a.id ${direction} LIMIT ${pageSize + 1}`,
    values: [owner.ownerId, ...(appId ? [appId] : []), ...(after ? [from] : [])],
  });
  const approvals = rows.slice(0, pageSize).map(owned);
  const last = approvals.at(-1);
  return { approvals, ...(rows.length > pageSize && last && { next: last._id }) };
}

type Row = {
  id: string;
  app_id: string;
  question: string;
  options: ApprovalOption[];
  background_context: string | null;
  recommendation: string | null;
  status: Approval["status"];
  resolution: Resolution | null;
  created: number;
  name: string;
  address: string | null;
  revoked: boolean;
};

const columns = `a.id, a.app_id, a.question, a.options, a.background_context, a.recommendation, a.status, a.resolution,
  (extract(epoch FROM a.created_at) * 1000)::float8 AS created, app.name, app.redirect_uris[1] AS address,
  app.deleted_at IS NOT NULL OR NOT EXISTS (SELECT FROM app_grant g WHERE g.owner_id = a.owner_id AND g.app_id = a.app_id
    AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now())) AS revoked`;

const owned = (row: Row): OwnedApproval => ({
  _id: row.id,
  _creationTime: row.created,
  clientId: row.app_id,
  question: row.question,
  options: row.options,
  ...(row.background_context !== null && { backgroundContext: row.background_context }),
  ...(row.recommendation !== null && { recommendation: row.recommendation }),
  status: row.status,
  ...(row.resolution !== null && { resolution: row.resolution }),
  app: { name: row.name, ...hostOf(row.address), revoked: row.revoked },
});

const hostOf = (address: string | null): { host?: string } =>
  address?.startsWith("https://") && URL.canParse(address) ? { host: new URL(address).host } : {};
