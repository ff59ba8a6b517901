import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { change, changeByStatement } from "@/lib/events/change-transaction";
import { type NewEvent, record } from "@/lib/events/record-events";
import { log } from "@/lib/log";
import { ipNetwork } from "@/lib/net/ip-prefix";
import { ownerOfEmail } from "./find-accounts";

/**
 * The step at which a sign-in failed: the password, a recovery code, a passkey, or (`again`) the
 * confirmation of a signed-in owner's identity.
 */
export type SignInStep = "password" | "recovery_code" | "passkey" | "again";

/**
 * The number of failed sign-ins, and the first and the last minute with any, in epoch milliseconds.
 */
export type FailedSignIns = { count: number; from: number; to: number };

/**
 * The maximum number of concurrent writes. Further failures are not counted, so that a flood can't
 * fill the memory.
 */
const batchSize = 50;
let writing = 0;

/**
 * Counts a failed sign-in at an account, in one row per minute and step. The caller doesn't wait
 * for the write, because its duration would reveal whether the account exists. For unknown
 * accounts, nothing is stored.
 */
export function recordFailedSignIn({
  step,
  email,
  address,
}: {
  step: SignInStep;
  email: string;
  address: string;
}): void {
  if (writing >= batchSize) return;
  writing++;
  void ownerOfEmail(email)
    .then((owner) => owner && countFailedSignIn(owner.id, step, address))
    .catch((error) => log.warn("could not count a failed sign-in", { reason: String(error) }))
    .finally(() => writing--);
}

const countFailedSignIn = (ownerId: string, step: SignInStep, address: string) =>
  sql`
    INSERT INTO failed_sign_in (owner_id, step, minute, address)
    SELECT id, ${step}, date_trunc('minute', now()), ${ipNetwork(address)}
    FROM owner
    WHERE id = ${ownerId}
    ON CONFLICT (owner_id, step, minute) DO UPDATE SET
      count = least(failed_sign_in.count + 1, 1000000),
      elsewhere = failed_sign_in.elsewhere OR failed_sign_in.address <> excluded.address,
      seen_at = NULL`.run();

type RefusalRow = {
  owner_id: string;
  step: SignInStep;
  minute: Date;
  count: number;
  address: string;
  elsewhere: boolean;
};

const isOver = sql`written_at IS NULL AND minute < now() - interval '65 seconds'`;
/** SQL: whether a past minute with failed sign-ins has not been recorded yet. */
export const failedSignInsDue = sql`EXISTS (SELECT FROM failed_sign_in WHERE ${isOver})`;

/**
 * Records each past minute with failed sign-ins in the owner's activity, once. Every instance calls
 * this function regularly.
 * @returns the number of minutes that this call recorded, at most 500
 */
export async function flushFailedSignIns(): Promise<number> {
  return change(null, async (tx) => {
    const over = await sql<RefusalRow>`
      UPDATE failed_sign_in r
      SET written_at = now()
      FROM (
        SELECT owner_id, step, minute
        FROM failed_sign_in
        WHERE ${isOver}
        ORDER BY minute LIMIT 500
        FOR UPDATE SKIP LOCKED
      ) AS over
      WHERE (r.owner_id, r.step, r.minute) = (over.owner_id, over.step, over.minute)
      RETURNING r.owner_id, r.step, r.minute, r.count, r.address, r.elsewhere`.rows(tx);
    await record(tx, ...over.map(asEvent));
    return over.length;
  });
}

const asEvent = ({ owner_id: ownerId, step, minute, count, address, elsewhere }: RefusalRow): NewEvent => ({
  ownerId,
  type: "owner.sign_in_refused",
  subject: ownerId,
  data: { step, minute: minute.toISOString(), count, address, ...(elsewhere && { elsewhere }) },
});

/**
 * Returns the failed sign-ins of the last thirty days that the owner has not dismissed. Undefined
 * if there are none.
 */
export async function unseenFailedSignIns({ ownerId }: OwnerActor): Promise<FailedSignIns | undefined> {
  const found = await sql<{ count: number; from: number | null; to: number }>`
    SELECT coalesce(sum(count), 0)::int AS count,
      (extract(epoch FROM min(minute)) * 1000)::float8 AS "from",
      (extract(epoch FROM max(minute)) * 1000)::float8 AS "to"
    FROM failed_sign_in
    WHERE owner_id = ${ownerId} AND seen_at IS NULL AND minute > now() - interval '30 days'`.row();
  return found && found.from !== null ? { count: found.count, from: found.from, to: found.to } : undefined;
}

/** Dismisses failed sign-ins up to this time (epoch milliseconds). */
export async function dismissFailedSignIns(owner: OwnerActor, until: number): Promise<void> {
  const upTo = sql`to_timestamp(${until}::float8 / 1000)`;
  await changeByStatement(
    owner,
    sql`
      UPDATE failed_sign_in
      SET seen_at = now()
      WHERE owner_id = ${owner.ownerId} AND seen_at IS NULL AND minute <= ${upTo}
      RETURNING step`,
  );
}
