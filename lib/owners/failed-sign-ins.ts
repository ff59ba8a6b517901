import type { OwnerActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { change, changeByStatement } from "@/lib/events/change";
import { type NewEvent, record } from "@/lib/events/events";
import { log } from "@/lib/log";
import { ipNetwork } from "./attempt-limiter";

/** Where somebody was refused: the password, a recovery code, a passkey, or being asked once more in a session. */
export type SignInStep = "password" | "recovery_code" | "passkey" | "again";

/** Refused sign-ins of some minutes: how many, and when the first and the last of these minutes began (epoch milliseconds). */
export type FailedSignIns = { count: number; from: number; to: number };

/** More than so many being written at once are not counted: whoever floods the door shall not fill the memory. */
const mostAtOnce = 50;
let writing = 0;

/**
 * Note that a sign-in at an account was refused. One row counts those of a minute and a door. Nobody waits for it: how long
 * it takes would tell whether there is such an account. Nothing is kept where there is none.
 */
export function recordFailedSignIn({
  door,
  email,
  address,
}: {
  door: SignInStep;
  email: string;
  address: string;
}): void {
  if (writing >= mostAtOnce) return;
  writing++;
  void sql`INSERT INTO sign_in_refusal AS r (owner_id, door, minute, address)
        SELECT id, ${door}, date_trunc('minute', now()), ${ipNetwork(address)} FROM owner WHERE email = ${email}
        ON CONFLICT (owner_id, door, minute) DO UPDATE SET
          count = least(r.count + 1, 1000000), elsewhere = r.elsewhere OR r.address <> excluded.address,
          seen_at = NULL`
    .run()
    .catch((error) => log.warn("a refused sign-in was not counted", { reason: String(error) }))
    .finally(() => writing--);
}

type Row = { owner_id: string; door: SignInStep; minute: Date; count: number; address: string; elsewhere: boolean };

const isOver = sql`written_at IS NULL AND minute < now() - interval '65 seconds'`;
/** Whether there is something to do for the chore. */
export const failedSignInsDue = sql`EXISTS (SELECT FROM sign_in_refusal WHERE ${isOver})`;

/** Write the minutes that are over into the activity of those they concern, each once. A chore of every copy. @returns how many */
export async function flushFailedSignIns(): Promise<number> {
  return change(null, async (tx) => {
    const over = await sql<Row>`UPDATE sign_in_refusal r SET written_at = now() FROM (
        SELECT owner_id, door, minute FROM sign_in_refusal
        WHERE ${isOver}
        ORDER BY minute LIMIT 500 FOR UPDATE SKIP LOCKED) AS over
      WHERE (r.owner_id, r.door, r.minute) = (over.owner_id, over.door, over.minute)
      RETURNING r.owner_id, r.door, r.minute, r.count, r.address, r.elsewhere`.rows(tx);
    await record(tx, ...over.map(asEvent));
    return over.length;
  });
}

const asEvent = ({ owner_id: ownerId, door, minute, count, address, elsewhere }: Row): NewEvent => ({
  ownerId,
  type: "owner.sign_in_refused",
  subject: ownerId,
  data: { door, minute: minute.toISOString(), count, address, ...(elsewhere && { elsewhere }) },
});

/** The refused sign-ins of the last thirty days that the owner has not yet put away, or undefined. */
export async function unseenFailedSignIns({ ownerId }: OwnerActor): Promise<FailedSignIns | undefined> {
  const found = await sql<{ count: number; from: number | null; to: number }>`
    SELECT coalesce(sum(count), 0)::int AS count, (extract(epoch FROM min(minute)) * 1000)::float8 AS "from",
        (extract(epoch FROM max(minute)) * 1000)::float8 AS "to"
      FROM sign_in_refusal WHERE owner_id = ${ownerId} AND seen_at IS NULL AND minute > now() - interval '30 days'`.row();
  return found && found.from !== null ? { count: found.count, from: found.from, to: found.to } : undefined;
}

/** The owner has seen what was refused until then (epoch milliseconds): it is not shown again. */
export async function dismissFailedSignIns(owner: OwnerActor, until: number): Promise<void> {
  const upTo = sql`to_timestamp(${until}::float8 / 1000)`;
  await changeByStatement(
    owner,
    sql`UPDATE sign_in_refusal SET seen_at = now()
      WHERE owner_id = ${owner.ownerId} AND seen_at IS NULL AND minute <= ${upTo} RETURNING door`,
  );
}
