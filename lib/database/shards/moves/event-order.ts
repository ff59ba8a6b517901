import type pg from "pg";
import { inClientTransaction } from "../../transaction";

/*
 * Readers follow events in the order (tx, id), and PostgreSQL servers have separate transaction
 * IDs. Before a home moves, the new shard's order is raised by an offset, as after the restore of a
 * dump, to a floor that the former shard will not reach during the move. Invariant: while copies of
 * events arrive, and afterwards, the new shard's webhook cursor is above all of them, and its next
 * event has a higher position. So the new shard never delivers a copied event, and an app's cursor
 * continues with the new shard's events.
 */

/** How many transactions the former shard may run during a move: about four billion. */
const headroom = 2n ** 32n;

/** See `far` in lib/webhooks/fan-out.ts. */
const enoughToSkip = 1_000_000n;

type Position = { now: string };
const positionNow = async (client: pg.ClientBase): Promise<bigint> => {
  const { rows } = await client.query<Position>(
    "SELECT event_place(pg_snapshot_xmax(pg_current_snapshot()))::text AS now",
  );
  return BigInt(rows[0]!.now);
};

/**
 * Raises the new shard's event order above the former shard's. The offset changes only while no
 * open transaction has written an event.
 * @returns the floor: every event of the former shard must stay below it
 */
export async function raiseEventOrder(to: pg.ClientBase, above: pg.ClientBase): Promise<bigint> {
  const floor = (await positionNow(above)) + headroom;
  // The distance lets the webhook cursor skip to the end of the log even without any event.
  if ((await positionNow(to)) > floor + enoughToSkip) return floor;
  const begin = "BEGIN; SET LOCAL search_path = public; SET LOCAL lock_timeout = '5s'";
  const raise = async () => {
    await to.query("LOCK TABLE public.event IN EXCLUSIVE MODE");
    // Half as much again, so that soon another move needs no change.
    const offset = floor + headroom / 2n;
    await to.query(`
      CREATE OR REPLACE FUNCTION event_offset() RETURNS bigint LANGUAGE sql STABLE
        RETURN ${offset}::bigint;
      CREATE OR REPLACE FUNCTION event_place(xid8) RETURNS xid8 LANGUAGE sql STABLE
        RETURN ($1::text::bigint + ${offset})::text::xid8`);
  };
  await inClientTransaction(to, raise, { begin });
  return floor;
}

/**
 * Checks that the former shard is still below the floor.
 * @throws {Error} if it is not; the move must then start over
 */
export async function requireBelow(former: pg.ClientBase, floor: bigint): Promise<void> {
  if ((await positionNow(former)) >= floor)
    throw new Error("The former shard has run too many transactions during the move. Abort the move, and start again.");
}

/** Returns the position in a shard's log up to which webhooks are created. */
export async function webhookPosition(client: pg.ClientBase): Promise<bigint> {
  const { rows } = await client.query<Position>("SELECT tx::text AS now FROM public.webhook_cursor WHERE id = 1");
  return BigInt(rows[0]?.now ?? "0");
}

/** The distance between the numbers that one shard's sequences draw. */
const step = 64n;
const sequences = ["event_id_seq", "archive_part_id_seq"] as const;

/**
 * Makes a shard's sequences draw only numbers with the remainder of the shard, so that IDs are
 * unique over all shards. Has no effect the second time.
 */
export async function separateSequences(client: pg.ClientBase, shard: number): Promise<void> {
  for (const name of sequences) {
    await inClientTransaction(client, async () => {
      const { rows } = await client.query<{ by: string }>(
        "SELECT increment_by::text AS by FROM pg_sequences WHERE schemaname = 'public' AND sequencename = $1",
        [name],
      );
      const isSeparate = BigInt(rows[0]?.by ?? "0") === step;
      if (isSeparate && ((await lastOf(client, name)) - BigInt(shard)) % step === 0n) return;
      await client.query("SET LOCAL lock_timeout = '5s'");
      await client.query(`ALTER SEQUENCE public.${name} INCREMENT BY ${step}`);
      await raise(client, name, BigInt(shard), await lastOf(client, name));
    });
  }
}

/** Raises a shard's sequences above another shard's. Keeps the remainder of the shard. */
export async function raiseSequences(to: pg.ClientBase, shard: number, above: pg.ClientBase): Promise<void> {
  for (const name of sequences) {
    const [here, there] = [await lastOf(to, name), await lastOf(above, name)];
    if (here <= there) await raise(to, name, BigInt(shard), there + 1000n * step);
  }
}

async function lastOf(client: pg.ClientBase, name: string): Promise<bigint> {
  const { rows } = await client.query<{ last: string }>(
    // A sequence's own row.
    `SELECT last_value::text AS last
     FROM public.${name}`,
  );
  return BigInt(rows[0]!.last);
}

/** Sets a sequence so that its next number is above `last`, with the remainder. */
async function raise(client: pg.ClientBase, name: string, remainder: bigint, last: bigint): Promise<void> {
  const next = (last / step + 1n) * step + remainder;
  await client.query("SELECT setval($1::regclass, $2, false)", [`public.${name}`, next.toString()]);
}
