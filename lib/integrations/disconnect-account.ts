import { randomUUID } from "node:crypto";
import type { OwnerActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { db } from "@/lib/database/db";
import { literal, sql } from "@/lib/database/sql";
import { AppError, notFound } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { isId } from "@/lib/ids";
import { log } from "@/lib/log";
import { runUntilEmpty } from "@/lib/work/worker";
import { lockAccount, recordOutcome } from "./account-status";
import { leaseSeconds, type ProviderAccess, stackFrames } from "./check-account";
import { clientFor } from "./provider-catalog";
import { ProviderFault } from "./providers/provider";
import { type AccountRef, destroyCredential, openCredential } from "./vault";

/**
 * How long the owner can undo a removal, in milliseconds. The provider is called only after this
 * time.
 */
export const undoMilliseconds = 10_000;

/**
 * Removes a linked account. Apps immediately see that the account is disconnected, and the service
 * stops using it. After the undo period, `eraseRemoved` revokes the access at the provider and
 * deletes the credential. Idempotent.
 * @throws {AppError} 404
 */
export async function disconnect({ ownerId }: OwnerActor, id: string): Promise<void> {
  await change({ ownerId }, async (tx) => {
    const row = await lockAccount(tx, valid(id), ownerId);
    if (!row) throw notFound();
    if (row.status === "disconnected") return;
    await recordOutcome(tx, row, { kind: "disconnected", eraseAt: row.now + undoMilliseconds });
  });
}

/**
 * Undoes a removal.
 * @throws {AppError} 404; 409 if it is too late
 */
export async function undoDisconnect({ ownerId }: OwnerActor, id: string): Promise<void> {
  await change({ ownerId }, async (tx) => {
    const row = await lockAccount(tx, valid(id), ownerId);
    if (!row) throw notFound();
    if (row.status !== "disconnected") return;
    if (row.eraseAt === null || row.eraseAt <= row.now)
      throw new AppError(409, "This account was already removed. Reconnect the account to use it again.");
    await recordOutcome(tx, row, { kind: "restored" });
  });
}

const valid = (id: string) => (isId("int", id) ? id : "");

type Due = AccountRef & { lease: string };
/**
 * The maximum number of concurrent revocations on this instance, and the timeout for a provider in
 * milliseconds.
 */
const concurrency = 10;
const providerTimeoutMs = 8000;

/**
 * Revokes the access of removed accounts at their providers, if possible, and deletes the
 * credentials in any case. Instances divide the work among them by leases. If an instance does not
 * finish within a minute, another one takes over.
 * @returns the number of erased accounts
 */
export const eraseRemoved = ({ stopping, ...speaking }: ProviderAccess = {}): Promise<number> =>
  runUntilEmpty<Due>({ concurrency, take: takeRemoved, run: (due) => erase(due, speaking) }, stopping);

const isRemoved = sql`erase_at <= now() AND (lease_until IS NULL OR lease_until <= now())`;
/** SQL: whether any removed account must be erased. */
export const hasRemovedToErase = sql`EXISTS (SELECT FROM integration WHERE ${isRemoved})`;

const takeRemoved = (room: number): Promise<Due[]> =>
  sql<Due>`
    UPDATE integration i
    SET lease = ${randomUUID()},
      lease_until = now() + make_interval(secs => ${literal(leaseSeconds)})
    WHERE i.id IN (
      SELECT id
      FROM integration
      WHERE ${isRemoved}
      ORDER BY erase_at LIMIT ${room}
      FOR UPDATE SKIP LOCKED
    )
    RETURNING i.id, i.owner_id AS "ownerId", i.provider, i.lease`.rows();

/**
 * Revokes an account's access at the provider, if possible, and deletes the credential in any case.
 * @returns whether the account was erased
 */
async function erase(due: Due, speaking: ProviderAccess): Promise<boolean> {
  await revoke(due, speaking).catch((error) => {
    const why = error instanceof ProviderFault ? { fault: error.message } : { at: stackFrames(error) };
    const about = { account: due.id, provider: due.provider, ...why };
    log.info("could not notify a provider about a removed account", about);
  });
  return change(null, async (tx) => {
    const row = await lockAccount(tx, due.id);
    if (row?.lease === due.lease && row.status === "disconnected") {
      await destroyCredential(tx, due);
      await recordOutcome(tx, row, { kind: "erased" });
      return true;
    }
    // The owner linked the account again in the meantime. Some providers revoke the new access
    // together with the old, so the account must be checked immediately.
    await sql`
      UPDATE integration
      SET check_at = now()
      WHERE id = ${due.id} AND status IN ('connected', 'error') AND lease IS NULL`.run(tx);
    return false;
  });
}

async function revoke(
  due: Due,
  { clientFor: speak = clientFor, timeoutMs = providerTimeoutMs }: ProviderAccess,
): Promise<void> {
  const held = await openCredential(db, due);
  if (!held) return;
  const revoked = speak(due.provider).revoke(held.credential, AbortSignal.timeout(timeoutMs));
  // Stops waiting for a provider that ignores the signal.
  await Promise.race([revoked, clock.pause(timeoutMs + 1000, undefined, { ref: false })]);
}
