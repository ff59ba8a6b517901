import { runAuthorized } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { contentHashOf, isConnected } from "@/lib/approvals/approval-state-sql";
import type { Resolution } from "@/lib/approvals/schema";
import { isSimulatedApproval } from "@/lib/approvals/simulated-owner";
import { env } from "@/lib/config/env";
import { epochMs, type Sql, sql } from "@/lib/database/sql";
import { AppError, notFound, notResolved } from "@/lib/errors";
import { publish } from "@/lib/events/pubsub";
import { recorded } from "@/lib/events/record-events";
import { isId } from "@/lib/ids";
import { sha256 } from "@/lib/keys/crypto";
import { type CurrentKey, currentKey, signingKey } from "./receipt-keys";
import { recordRefusedUse } from "./record-refused-use";
import type { UseClaims } from "./schema";

/*
 * One answer permits one act. The primary key of `approval_use` lets exactly one use or withdrawal
 * succeed, and the statement that inserts the use also checks the answer, the content and the
 * caller's rights. The use receipt is stored, so that a repeated request gets the same reply at any
 * later time.
 */

/** Which program used an answer: the app that asked, or one that presented the receipt. */
export type UsedBy = "app" | "receipt";
type Use = { usedAt: number; receipt: string };
type Request = { id: string; contentHash: string; key: string; by: UsedBy };

/**
 * Uses the owner's answer to a question that the app asked. The first use wins. Repeating the
 * request with the same key returns the same reply.
 * @throws {AppError} 404 for another app's approval; 409 with a `reason` if the answer can't be
 *   used: `not_resolved`, `not_owner`, `content_mismatch`, `withdrawn` or `used`
 */
export const recordUse = (app: AppActor, request: Omit<Request, "by">): Promise<Use> =>
  settle({ ...request, by: "app" }, (statement) => runAuthorized<object>(app, { ...statement, announces: true }));

/**
 * Uses the answer in a verified receipt, for a program without a token.
 * @param asker the owner and the app that the receipt names
 * @throws {AppError} as `recordUse`, and 404 unless the app is still connected
 */
export const recordUseWithReceipt = (
  asker: { ownerId: string; appId: string },
  request: Omit<Request, "by">,
): Promise<Use> =>
  settle({ ...request, by: "receipt" }, async ({ work, result }) => {
    const { ownerId, appId } = asker;
    const caller = sql`SELECT owner_id, app_id FROM (SELECT ${ownerId}::text AS owner_id, ${appId}::text AS app_id) AS o
      WHERE ${isConnected(sql`o`)}`;
    const row = await sql`WITH caller AS (${caller})${work ? sql`, ${work}` : sql``} SELECT ${result}`.row();
    if (work) publish(ownerId);
    return row as object;
  });

/** Runs a statement whose parts can read `caller`, the row of the owner and the app. */
type Run = (statement: { work?: Sql; result: Sql }) => Promise<object>;

async function settle(request: Request, run: Run): Promise<Use> {
  const { id, contentHash, by } = request;
  if (!isId("apr", id)) throw notFound();
  const keyHash = sha256(request.key);
  const found = await read(id, run);
  const before = await repeated(found, request, keyHash);
  if (before) return before;
  const { resolution, now: usedAt } = found;
  if (!resolution) throw notResolved();
  const claims: UseClaims = {
    iss: env().publicUrl,
    aud: found.appId,
    owner: found.ownerId,
    sub: id,
    iat: Math.floor(usedAt / 1000),
    contentHash,
    resolution,
    ...(found.once && { once: true as const }),
    use: { at: usedAt, by, key: keyHash.toString("base64url") },
    ...(found.simulated && { simulated: true as const }),
  };
  const { kid, sealed } = found;
  const key = await signingKey({ kid, sealed: sealed === null ? null : Buffer.from(sealed, "base64") });
  const receipt = await key.sign("countersign-use+jwt", claims);
  const { won } = (await run({
    work: sql`
      used AS (
        INSERT INTO approval_use AS u (approval_id, owner_id, kind, used_by, key_hash, receipt, created_at)
        SELECT a.id, a.owner_id, 'used', ${by}::text, ${keyHash}::bytea, ${receipt}::text,
          to_timestamp(${usedAt}::float8 / 1000)
        FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id
        WHERE a.id = ${id}
          AND a.resolution ->> 'resolvedBy' = 'owner'
          AND ${contentHashOf} = ${contentHash}
          AND approval_current_hash(a) = ${contentHash}
        ON CONFLICT DO NOTHING
        RETURNING u.approval_id
      ), ${recorded(
        "approval.used",
        sql`(
          SELECT c.owner_id, c.app_id, used.approval_id AS id
          FROM used, caller c
        ) AS it`,
        sql`jsonb_build_object('by', ${by}::text)`,
      )}`,
    result: sql`EXISTS (SELECT FROM used) AS won`,
  })) as { won: boolean };
  if (won) return { usedAt, receipt };
  // Another request or the owner was faster, or the app lost its access.
  const after = await repeated(await read(id, run), request, keyHash);
  if (after) return after;
  throw notFound();
}

/** An approval and its use, as `settle` reads them. `sealed` is in base64. */
type Found = {
  ownerId: string;
  appId: string;
  resolution: Resolution | null;
  contentHash: string;
  current: string;
  simulated: boolean | null;
  once: boolean;
  now: number;
  kind: "used" | "withdrawn" | null;
  at: number | null;
  usedBy: UsedBy | null;
  keyHash: string | null;
  receipt: string | null;
  kid: CurrentKey["kid"];
  sealed: string | null;
};

/** Reads the approval and its use. @throws {AppError} 404, and the errors of `run` */
async function read(id: string, run: Run): Promise<Found> {
  const { found } = (await run({
    result: sql`(
      SELECT json_build_object(
        'ownerId', a.owner_id, 'appId', a.app_id, 'resolution', a.resolution,
        'contentHash', ${contentHashOf}, 'current', approval_current_hash(a),
        'simulated', ${isSimulatedApproval(id)}, 'once', a.once, 'now', ${epochMs("t.now")},
        'kind', u.kind, 'at', ${epochMs("u.created_at")}, 'usedBy', u.used_by,
        'keyHash', encode(u.key_hash, 'hex'), 'receipt', u.receipt,
        'kid', k.kid, 'sealed', translate(encode(k.sealed, 'base64'), E'\\n', '')
      )
      FROM approval a
        JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id
        LEFT JOIN approval_use u ON u.approval_id = a.id
        CROSS JOIN (SELECT ${currentKey}) AS k
        CROSS JOIN (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) AS t
      WHERE a.id = ${id}
    ) AS found`,
  })) as { found: Found | null };
  if (!found) throw notFound();
  return found;
}

/**
 * Returns the earlier reply if this request repeats the use; undefined if the answer is unused.
 * @throws {AppError} 409 if the answer can't be used by this request
 */
async function repeated(found: Found, { id, contentHash, by }: Request, keyHash: Buffer): Promise<Use | undefined> {
  const { resolution, kind, at, usedBy, receipt } = found;
  if (!resolution) throw notResolved();
  if (resolution.resolvedBy !== "owner")
    throw conflict("not_owner", "The owner did not give this answer, so it permits nothing.");
  if (found.contentHash !== contentHash || found.current !== contentHash)
    throw conflict(
      "content_mismatch",
      "The answer is to a question with other content. Use the approval's contentHash.",
    );
  const time = at === null ? "" : new Date(at).toISOString();
  if (kind === "withdrawn")
    throw conflict("withdrawn", `The owner withdrew the answer at ${time}.`, { withdrawnAt: at });
  if (kind === null || at === null || receipt === null) return undefined;
  if (usedBy === by && found.keyHash === keyHash.toString("hex")) return { usedAt: at, receipt };
  await recordRefusedUse(found, id, by);
  const who = usedBy === "app" ? "the app that asked" : "a program with the receipt";
  throw conflict("used", `The answer was used by ${who} at ${time}, with another Idempotency-Key.`, {
    usedAt: at,
    usedBy,
  });
}

const conflict = (reason: string, message: string, facts: object = {}) =>
  new AppError(409, message, { details: [{ path: "", message, reason, ...facts }] });
