import type { Resource } from "@/lib/access/resources";
import type { OwnerActor, SessionOwner } from "@/lib/actor";
import type { Client } from "@/lib/apps/apps";
import { db, pool } from "@/lib/db";
import { AppError, badRequest, notFound } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change";
import { describeAsker } from "@/lib/grants/asker";
import { ConsentDecision, type DeviceRequest } from "@/lib/grants/schema";
import { hashSecret, newSecret, sameText, sign } from "@/lib/keys/crypto";
import { isId, newId } from "@/lib/keys/ids";
import { requireFresh } from "@/lib/owners/sessions";
import { countAttempt, forgiveAttempt } from "@/lib/owners/throttle";
import { type Scope, scopeNames, sensitiveScopes } from "@/lib/scopes";
import { type On, row, rows, run, sql } from "@/lib/sql";
import { validate } from "@/lib/text/validate";
import { give } from "./give";
import { offer } from "./offer";
import { codeIn, userCodeOf } from "./user-code";

/** The owner in one browser session: what a decision's form is made for. */
type Visitor = SessionOwner & { session: string };

/** How long a code is good for, and how long a device waits between two polls unless told otherwise, in seconds. */
export const [codeSeconds, pollSeconds] = [900, 5];

/**
 * Keep what a device asks for (RFC 8628 section 3.1) until its owner types the code and decides. Both codes are kept only
 * as hashes.
 */
export async function requestDevice(
  { clientId }: Client,
  { scopes, resource }: { scopes: Scope[]; resource: Resource },
): Promise<{ deviceCode: string; userCode: string }> {
  const deviceCode = newSecret("dc");
  for (;;) {
    const id = newId("dev");
    const userCode = userCodeOf(id);
    const made =
      await run(sql`INSERT INTO device_code (id, hash, user_code_hash, app_id, scopes, resource, interval_seconds, expires_at)
      VALUES (${id}, ${hashSecret(deviceCode)}, ${hashSecret(userCode)}, ${clientId}, ${scopes}, ${resource}, ${pollSeconds}::int,
        now() + make_interval(secs => ${codeSeconds}::int))
      ON CONFLICT (user_code_hash) DO NOTHING`);
    if (made === 1) return { deviceCode, userCode };
  }
}

/** Wrong codes that an owner may type within so many seconds. */
const guesses = { most: 5, seconds: 900 };

/**
 * The owner types the code that a device shows, in any case, with or without its dash. Whoever types it first is the only
 * one who can decide it; nothing is decided yet.
 * @returns which request it is
 * @throws {AppError} 400 for no code, 404 for one that is wrong or too old, 429 after five of those in a quarter of an hour
 */
export async function enterCode({ ownerId }: OwnerActor, typed: string): Promise<{ id: string }> {
  if (typed.trim() === "") throw badRequest("Enter the code that your device shows", "user_code");
  await countAttempt("device-code", ownerId, guesses, "Too many wrong codes. Wait a quarter of an hour and try again");
  const code = codeIn(typed);
  const [found] = code
    ? await rows<{ id: string }>(sql`UPDATE device_code d SET owner_id = ${ownerId} FROM app
        WHERE d.user_code_hash = ${hashSecret(code)} AND (d.owner_id IS NULL OR d.owner_id = ${ownerId})
          AND d.expires_at > now() AND app.id = d.app_id AND app.deleted_at IS NULL
        RETURNING d.id`)
    : [];
  if (!found) throw new AppError(404, "That code is wrong or has expired. Check the code on your device");
  await forgiveAttempt("device-code", ownerId);
  return found;
}

/**
 * What the owner who typed a code is shown: what there is to decide, or what was decided.
 * @throws {AppError} 404 for an unknown request or another owner's, 410 when its time is up
 */
export async function readDevice(owner: Visitor, id: string): Promise<DeviceRequest> {
  if (!isId("dev", id)) throw notFound();
  const request = await db.deviceCode.findFirst({
    where: { id, ownerId: owner.ownerId },
    include: { app: { include: { owner: true } } },
  });
  if (!request || request.app.deletedAt) throw notFound();
  const { app } = request;
  if (request.decidedAt) {
    return { state: request.grantId === null ? "denied" : "allowed", app: { clientId: app.id, name: app.name } };
  }
  await stillOpen(pool(), owner, id);
  return {
    state: "open",
    id,
    csrf: formTag(owner, id),
    userCode: userCodeOf(id),
    app: await describeAsker(owner, app),
    ...(await offer(owner, request)),
  };
}

/** Made for one request, owner and browser session; nobody else can make it. */
const formTag = ({ ownerId, session }: Visitor, id: string) => sign("device", JSON.stringify([id, ownerId, session]));

/**
 * Decide what a device asked for, once, as `decideConsent` does; the device learns it at its next poll.
 * @throws {AppError} 403 when the form was not made for this owner and session, 409 when it was decided before, else as
 * readDevice; 400
 */
export async function decideDevice(owner: Visitor, id: string, decision: ConsentDecision): Promise<void> {
  const { csrf, allow, scopes: ticked, integrationIds, days } = validate(ConsentDecision, decision);
  if (!isId("dev", id)) throw notFound();
  if (!sameText(csrf, formTag(owner, id)))
    throw new AppError(403, "This form belongs to another session. Reload the page");
  await change(owner, async (tx) => {
    const request = await claim(tx, owner, id);
    const allowed = allow ? scopeNames.filter((scope) => request.scopes.includes(scope) && ticked.includes(scope)) : [];
    if (allowed.length === 0) return;
    if (allowed.some((scope) => sensitiveScopes.has(scope))) requireFresh(owner);
    const grantId = await give(tx, owner, request, { allowed, integrationIds, days, via: "device" });
    await run(sql`UPDATE device_code SET grant_id = ${grantId}, granted = ${allowed} WHERE id = ${id}`, tx);
  });
}

/** Take the request so that nobody can decide it again, and hold the app so that it cannot be deleted meanwhile. */
async function claim(tx: Change, owner: Visitor, id: string) {
  const claimed = await run(
    sql`UPDATE device_code SET decided_at = now()
    WHERE id = ${id} AND owner_id = ${owner.ownerId} AND decided_at IS NULL AND expires_at > now()`,
    tx,
  );
  if (claimed === 0) await stillOpen(tx, owner, id);
  const request = await tx.deviceCode.findUniqueOrThrow({ where: { id } });
  const live = await rows<object>(
    sql`SELECT id FROM app WHERE id = ${request.appId} AND deleted_at IS NULL FOR SHARE`,
    tx,
  );
  if (live.length === 0) throw notFound();
  return request;
}

/** @throws {AppError} saying why the owner cannot decide the request, if so */
async function stillOpen(on: On, { ownerId }: OwnerActor, id: string) {
  const request = await row<{ decided: boolean; over: boolean }>(
    sql`SELECT decided_at IS NOT NULL AS decided, expires_at <= now() AS over
    FROM device_code WHERE id = ${id} AND owner_id = ${ownerId}`,
    on,
  );
  if (!request) throw notFound();
  if (request.decided) throw new AppError(409, "You have already decided this");
  if (request.over) throw new AppError(410, "This code has expired. Ask your device for a new one");
}
