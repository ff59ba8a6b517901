import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { OwnerActor } from "@/lib/actor";
import { db, pool } from "@/lib/db";
import { AppError, notFound } from "@/lib/errors";
import { announce } from "@/lib/events/hub";
import { isId } from "@/lib/keys/ids";
import { log } from "@/lib/log";
import { clientFor } from "./catalogue";
import { frames, leaseSeconds, type Speaking } from "./look";
import { ProviderFault } from "./provider";
import { lockAccount, settle } from "./standing";
import { type Account, destroyCredential, openCredential } from "./vault";

/*
 * Removed means `erase_at` is set. Until then `undoDisconnect` restores the account as it was; afterwards `eraseDue` tells
 * the provider, best effort, and destroys the credentials. Linking again clears `erase_at`, and an erasure that has lost
 * its lease touches nothing.
 */

/** How long the owner may take it back (milliseconds). Nothing has left for the provider until then. */
export const undoMilliseconds = 10_000;

/**
 * Remove a linked account: from this moment apps read that it is disconnected, and we use nothing of it. After the time to
 * take that back `eraseDue` gives it up at the provider and destroys what is kept. Once more changes nothing.
 * @throws {AppError} 404
 */
export async function disconnect({ ownerId }: OwnerActor, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const row = await lockAccount(tx, valid(id), ownerId);
    if (!row) throw notFound();
    if (row.status === "disconnected") return;
    await settle(tx, row, { kind: "disconnected", eraseAt: row.now + undoMilliseconds });
  });
  announce(ownerId);
}

/**
 * Take that back: the account is what it was.
 * @throws {AppError} 404, 409 once it is too late
 */
export async function undoDisconnect({ ownerId }: OwnerActor, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const row = await lockAccount(tx, valid(id), ownerId);
    if (!row) throw notFound();
    if (row.status !== "disconnected") return;
    if (row.eraseAt === null || row.eraseAt <= row.now)
      throw new AppError(409, "It is already removed. Connect it again");
    await settle(tx, row, { kind: "restored" });
  });
  announce(ownerId);
}

const valid = (id: string) => (isId("int", id) ? id : "");

type Due = Account & { lease: string };
/** How many are taken at a time, and how long a provider gets (milliseconds). */
const batch = 10;
const longest = 8000;

/**
 * Give up at their providers what is kept of removed accounts, best effort, and destroy it for certain. Each is done by one
 * copy, and by another when that one did not come to its end within a minute.
 * @returns how many
 */
export async function eraseDue({ stopping, ...speaking }: Speaking & { stopping?: AbortSignal } = {}): Promise<number> {
  let erased = 0;
  while (!stopping?.aborted) {
    const { rows } = await pool().query<Due>({
      name: "integrations/take-removed",
      text: `UPDATE integration i SET lease = $1, lease_until = now() + interval '${leaseSeconds} seconds'
        WHERE i.id IN (SELECT id FROM integration WHERE erase_at <= now() AND (lease_until IS NULL OR lease_until <= now())
          ORDER BY erase_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)
        RETURNING i.id, i.owner_id AS "ownerId", i.provider, i.lease`,
      values: [randomUUID()],
    });
    const outcomes = await Promise.all(rows.map((due) => erase(due, speaking)));
    erased += outcomes.filter((done) => done).length;
    if (rows.length < batch) break;
  }
  return erased;
}

async function erase(due: Due, speaking: Speaking): Promise<boolean> {
  await revoke(due, speaking).catch((error) => {
    const why = error instanceof ProviderFault ? { said: error.message } : { at: frames(error) };
    log.info("a provider was not told that an account was removed", {
      account: due.id,
      provider: due.provider,
      ...why,
    });
  });
  return db.$transaction(async (tx) => {
    const row = await lockAccount(tx, due.id);
    if (row?.lease === due.lease && row.status === "disconnected") {
      await destroyCredential(tx, due.id);
      await settle(tx, row, { kind: "erased" });
      return true;
    }
    // Linked again in that very moment. Some providers end everything with the old: it is looked at at once.
    await tx.$executeRaw`
      UPDATE integration SET check_at = now() WHERE id = ${due.id} AND status IN ('connected', 'error') AND lease IS NULL`;
    return false;
  });
}

async function revoke(due: Due, { clientFor: speak = clientFor, longest: most = longest }: Speaking): Promise<void> {
  const held = await openCredential(db, due);
  if (!held) return;
  const told = speak(due.provider).revoke(held.credential, AbortSignal.timeout(most));
  // Who does not keep to the signal is not waited for.
  await Promise.race([told, sleep(most + 1000, undefined, { ref: false })]);
}
