import { sql } from "@/lib/database/sql";
import { resealed } from "@/lib/keys/crypto";

/** The number of rows in a batch. */
const batchSize = 200;

/**
 * Encrypts the browsers' push subscriptions under SECRET, if SECRET_PREVIOUS encrypts them. Skips
 * subscriptions that neither secret can decrypt, because they get no alerts anyway.
 * @returns the number of subscriptions that were encrypted again
 */
export async function resealDevices(): Promise<number> {
  let count = 0;
  for (let after: string | undefined = ""; after !== undefined; ) {
    const batch: { id: string; sealed: Uint8Array }[] = await sql<{ id: string; sealed: Uint8Array }>`
      SELECT id, sealed
      FROM push_subscription
      WHERE id > ${after}
      ORDER BY id
      LIMIT ${batchSize}`.rows();
    const moved = batch.flatMap(({ id, sealed }) => {
      const next = resealedOrNothing(id, sealed);
      return next ? [{ id, sealed, next }] : [];
    });
    // A subscription that its browser renewed meanwhile keeps its newer value.
    count += await sql`
      UPDATE push_subscription p
      SET sealed = n.next
      FROM unnest(
        ${moved.map(({ id }) => id)}::text[], ${moved.map(({ sealed }) => sealed)}::bytea[],
        ${moved.map(({ next }) => next)}::bytea[]
      ) AS n (id, former, next)
      WHERE p.id = n.id AND p.sealed = n.former`.run();
    after = batch.length < batchSize ? undefined : batch.at(-1)?.id;
  }
  return count;
}

function resealedOrNothing(id: string, sealed: Uint8Array): Buffer | undefined {
  try {
    return resealed("push-subscription", sealed, id);
  } catch {
    return undefined;
  }
}
