import { runAuthorized } from "@/lib/access/authorization";
import type { Actor, AppActor } from "@/lib/actor";
import { isSimulatedApproval } from "@/lib/approvals/simulated-owner";
import { insertedUse, type UsableAnswer, type UsedBy, usableAnswer } from "@/lib/approvals/use/answer-use-sql";
import { recordRefusedUse } from "@/lib/approvals/use/record-refused-use";
import { canonicalJson } from "@/lib/client/canonical-json";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { AppError, notFound, notResolved } from "@/lib/errors";
import { frozenApp } from "@/lib/frozen-errors";
import { isId } from "@/lib/ids";
import { sha256 } from "@/lib/keys/crypto";
import { pausePoint } from "@/lib/pause-points";
import { type CurrentKey, currentKey, signingKey } from "./receipt-keys";
import type { UseClaims } from "./schema";

/*
 * One answer permits one act. The statement that records the use also checks the answer, the
 * content and the caller's rights. The use receipt is stored, so that a repeated request gets the
 * same reply at any later time.
 */

type Use = { usedAt: number; receipt: string };
type Request = { id: string; contentHash: string; values?: Record<string, unknown> | undefined; key: string };
/** The program that uses an answer. `appId` is the app that the receipt names. */
type User = { actor: Actor; by: UsedBy; appId: string | null };

/**
 * Uses the owner's answer to a question that the app asked. The first use wins. Repeating the
 * request with the same key returns the same reply.
 * @throws {AppError} 404 for another app's approval; 409 if it is not resolved, and 409 with a
 *   `reason` if the answer can't be used: `not_owner`, `content_mismatch`, `values_mismatch`,
 *   `withdrawn` or `used`
 */
export const recordUse = (app: AppActor, request: Request): Promise<Use> =>
  record({ actor: app, by: "app", appId: null }, request);

/**
 * Uses the answer in a verified receipt, for a program without a token.
 * @param asker the owner and the app that the receipt names
 * @throws {AppError} as `recordUse`, and 404 unless the app is still connected
 */
export const recordUseWithReceipt = (asker: { ownerId: string; appId: string }, request: Request): Promise<Use> =>
  record({ actor: { kind: "owner", ownerId: asker.ownerId }, by: "receipt", appId: asker.appId }, request);

async function record(user: User, request: Request): Promise<Use> {
  const { id, contentHash } = request;
  if (!isId("apr", id)) throw notFound();
  const { actor, by, appId } = user;
  const keyHash = sha256(request.key);
  const { answer, simulated, ...current } = await read(user, id);
  const before = await earlierUse(answer, user, request, keyHash);
  if (before) return before;
  const { resolution, now: usedAt } = answer;
  if (!resolution) throw notResolved();
  const claims: UseClaims = {
    iss: env().publicUrl,
    aud: answer.appId,
    owner: answer.ownerId,
    sub: id,
    iat: Math.floor(usedAt / 1000),
    contentHash,
    resolution,
    ...(answer.once && { once: true }),
    use: { at: usedAt, by, key: keyHash.toString("base64url") },
    ...(simulated && { simulated }),
  };
  const receipt = await (await signingKey(current)).sign("countersign-use+jwt", claims);
  await pausePoint("answer read, use not recorded");
  const { won } = await runAuthorized<{ won: boolean }>(actor, {
    work: insertedUse(id, appId, { contentHash, by, keyHash, receipt, usedAt }),
    result: sql`EXISTS (SELECT FROM used) AS won`,
    announces: true,
  });
  if (won) return { usedAt, receipt };
  // Another request or the owner was faster, or the app lost its access.
  const after = await earlierUse((await read(user, id)).answer, user, request, keyHash);
  if (after) return after;
  throw notFound();
}

type Row = { answer: UsableAnswer; simulated: true | null } & CurrentKey;

/** Reads the answer with the current signing key. @throws {AppError} 401, 403, 404 */
async function read({ actor, appId }: User, id: string): Promise<Row> {
  const result = sql`${usableAnswer(id, appId)} AS answer,
    ${isSimulatedApproval(id)} AS simulated, ${currentKey}`;
  const { answer, simulated, kid, sealed, age } = await runAuthorized<Row>(actor, { result });
  if (!answer) throw notFound();
  return { answer, simulated, kid, sealed, age };
}

/**
 * Returns the earlier reply if this request repeats the use; undefined if the answer is unused.
 * @throws {AppError} 403 if the app is frozen; 409 if this request can't use the answer
 */
async function earlierUse(answer: UsableAnswer, { by }: User, request: Request, keyHash: Buffer) {
  const { id, contentHash, values } = request;
  const { resolution, kind, at, usedBy, receipt } = answer;
  if (answer.frozen) throw frozenApp();
  if (!resolution) throw notResolved();
  if (resolution.resolvedBy !== "owner")
    throw conflict("not_owner", "The owner did not give this answer, so it permits nothing.");
  if (answer.contentHash !== contentHash || answer.currentHash !== contentHash)
    throw conflict("content_mismatch", "The owner saw other content. Send the approval's contentHash.");
  if (!areEqual(values ?? {}, resolution.values ?? {}))
    throw conflict("values_mismatch", "The owner allowed other values. Send the values of the resolution.");
  if (kind === null || at === null) return undefined;
  const time = new Date(at).toISOString();
  if (kind === "withdrawn" || receipt === null)
    throw conflict("withdrawn", `The owner withdrew the answer at ${time}.`, { withdrawnAt: at });
  if (usedBy === by && answer.keyHash === keyHash.toString("hex")) return { usedAt: at, receipt };
  await recordRefusedUse(answer, id, by);
  const who = usedBy === "app" ? "The app that asked" : "A program with the receipt";
  throw conflict("used", `${who} used the answer at ${time}, with another Idempotency-Key.`, { usedAt: at, usedBy });
}

/** Whether a request's values are those of the resolution. Values that JSON can't hold never are. */
function areEqual(given: Record<string, unknown>, allowed: Record<string, unknown>): boolean {
  try {
    return canonicalJson(given) === canonicalJson(allowed);
  } catch {
    return false;
  }
}

const conflict = (reason: string, message: string, facts: object = {}) =>
  new AppError(409, message, { details: [{ path: "", message, reason, ...facts }] });
