import type { Resource } from "@/lib/access/resource-indicator";
import type { OwnerActor } from "@/lib/actor";
import { isAppActive } from "@/lib/apps/app-sql-for-other-domains";
import type { Client } from "@/lib/apps/apps";
import { lockApp } from "@/lib/apps/lock-app";
import { readDeclared } from "@/lib/apps/schema";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { AppError, badRequest, notFound } from "@/lib/errors";
import type { Change } from "@/lib/events/change-transaction";
import { describeRequestingApp, registrarOf } from "@/lib/grants/requesting-app";
import type { ConsentDecision, DeviceRequest } from "@/lib/grants/schema";
import { isId, newId } from "@/lib/ids";
import { hashSecret, newServiceSecret } from "@/lib/keys/secret-tokens";
import { consumeAttempt, refundAttempt } from "@/lib/owners/fixed-window-limiter";
import type { Scope } from "@/lib/scopes";
import {
  assertPending,
  type ConsentingOwner,
  type ConsentKind,
  csrfToken,
  recordConsentDecision,
} from "./consent-decision";
import { buildConsentOffer, shownHash } from "./consent-offer";
import { parseUserCode, userCodeFor } from "./user-code";

const device: ConsentKind = {
  prefix: "dev",
  table: "device_code",
  purpose: "device",
  expiredMessage: "This code has expired. Get a new code on your device.",
};

/** The lifetime of a code and the default polling interval, in seconds. */
export const [codeSeconds, pollSeconds] = [900, 5];

/**
 * Stores a device's request until the owner enters the code and decides (RFC 8628 section 3.1).
 * Both codes are stored as hashes only.
 */
export async function requestDevice(
  { clientId }: Client,
  { scopes, resource }: { scopes: Scope[]; resource: Resource },
): Promise<{ deviceCode: string; userCode: string }> {
  const deviceCode = newServiceSecret("dc");
  for (;;) {
    const id = newId("dev");
    const userCode = userCodeFor(id);
    const made = await sql`
      INSERT INTO device_code (
        id, hash, user_code_hash, app_id, scopes, resource, interval_seconds, expires_at
      )
      VALUES (
        ${id}, ${hashSecret(deviceCode)}, ${hashSecret(userCode)}, ${clientId}, ${scopes},
        ${resource}, ${pollSeconds}::int, now() + make_interval(secs => ${codeSeconds}::int)
      )
      ON CONFLICT (user_code_hash) DO NOTHING`.run();
    if (made === 1) return { deviceCode, userCode };
  }
}

/** The rate limit for wrong codes, per owner. */
const guesses = { max: 5, seconds: 900 };

/**
 * Claims the request for the owner who enters its code. Case and the dash don't matter. Only the
 * first owner who enters the code can decide the request.
 * @returns the request's ID
 * @throws {AppError} 400 without a code, 404 for a wrong or expired code, 429 after five such codes
 * in 15 minutes
 */
export async function claimDeviceCode({ ownerId }: OwnerActor, typed: string): Promise<{ id: string }> {
  if (typed.trim() === "") throw badRequest("Enter the code that your device shows", "user_code");
  await consumeAttempt("device-code", ownerId, guesses, "Too many wrong codes. Wait 15 minutes, then try again.");
  const code = parseUserCode(typed);
  const [found] = code
    ? await sql<{ id: string }>`
      UPDATE device_code d
      SET owner_id = ${ownerId}
      WHERE d.user_code_hash = ${hashSecret(code)}
        AND (d.owner_id IS NULL OR d.owner_id = ${ownerId})
        AND d.expires_at > now()
        AND ${isAppActive(sql`d.app_id`)}
      RETURNING d.id`.rows()
    : [];
  if (!found) throw new AppError(404, "The code is wrong or has expired. Check the code on your device.");
  await refundAttempt("device-code", ownerId);
  return found;
}

/**
 * Returns what to show the owner who entered a code: the open request, or its outcome.
 * @throws {AppError} 404 for an unknown or another owner's request, 410 if it expired
 */
export async function readDevice(owner: ConsentingOwner, id: string): Promise<DeviceRequest> {
  if (!isId("dev", id)) throw notFound();
  const request = await db.deviceCode.findFirst({
    where: { id, ownerId: owner.ownerId },
    include: { app: true },
  });
  if (!request || request.app.deletedAt) throw notFound();
  const { app } = request;
  if (request.decidedAt) {
    return { state: request.grantId === null ? "denied" : "allowed", app: { clientId: app.id, name: app.name } };
  }
  await assertPending(device, owner, id);
  const asker = await describeRequestingApp(owner, app, await registrarOf(app));
  const shown = shownHash(asker, request.scopes, readDeclared(app.declaredScopes));
  return {
    state: "open",
    id,
    csrf: csrfToken(device, owner, id, shown),
    userCode: userCodeFor(id),
    app: asker,
    ...(await buildConsentOffer(owner, request)),
  };
}

/**
 * Decides a device's request in the same way as `recordConsentDecision`. The device gets the result
 * with its next poll.
 */
export async function decideDevice(owner: ConsentingOwner, id: string, decision: ConsentDecision): Promise<void> {
  const hold = async (tx: Change) => {
    const request = await tx.deviceCode.findUniqueOrThrow({ where: { id } });
    const { declaredScopes } = await lockApp(tx, request.appId);
    return { ...request, declaredScopes };
  };
  await recordConsentDecision(device, owner, id, decision, hold, async (tx, _, given) => {
    if (!given) return;
    const { grantId, allowed } = given;
    await sql`
      UPDATE device_code
      SET decided_at = clock_timestamp(), grant_id = ${grantId}, granted = ${allowed}
      WHERE id = ${id}`.run(tx);
  });
}
