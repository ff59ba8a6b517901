import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";

/*
 * Copies of the service's tables on every shard, by logical replication from the directory, so that
 * joins and foreign keys stay within a shard.
 */

/** The tables of the directory that every shard has a copy of. */
export const copiedTables = [
  "app",
  "data_key",
  "receipt_key",
  "retained_key",
  "webhook_endpoint",
  "webhook_secret",
  "shard",
  "home_placement",
  "placement_version",
] as const;

const publication = "countersign_directory";
const subscriptionOf = (shard: string) => `${publication}_${shard}`;

/**
 * Lets a shard copy the directory's tables, and waits for the first copy. Has no effect on what is
 * done already.
 * @param directoryUrl the address at which the shard's PostgreSQL reaches the directory
 */
export async function copyDirectory(
  directory: pg.ClientBase,
  directoryUrl: string,
  { name, client }: { name: string; client: pg.ClientBase },
): Promise<void> {
  const published = await directory.query("SELECT FROM pg_publication WHERE pubname = $1", [publication]);
  if (published.rowCount === 0)
    await directory.query(`CREATE PUBLICATION ${publication} FOR TABLE ${copiedTables.join()}`);
  const subscription = subscriptionOf(name);
  const subscribed = await client.query(
    `SELECT FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid
     WHERE d.datname = current_database() AND s.subname = $1`,
    [subscription],
  );
  if (subscribed.rowCount === 0) {
    await emptyCopies(client);
    const slot = await directory.query("SELECT FROM pg_replication_slots WHERE slot_name = $1", [subscription]);
    // First the slot, because both databases can be on one server (./copy-homes.ts).
    if (slot.rowCount === 0)
      await directory.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [subscription]);
    const address = directoryUrl.replaceAll("'", "''");
    await client.query(
      `CREATE SUBSCRIPTION ${subscription} CONNECTION '${address}' PUBLICATION ${publication}
       WITH (create_slot = false, slot_name = '${subscription}', copy_data = true)`,
    );
  }
  await untilCopied(client, subscription);
}

/** Deletes the rows that migrations create, because the directory's rows replace them. */
async function emptyCopies(client: pg.ClientBase): Promise<void> {
  await client.query("SET session_replication_role = replica");
  for (const table of copiedTables) await client.query(`DELETE FROM public.${table}`);
  await client.query("SET session_replication_role = DEFAULT");
}

async function untilCopied(client: pg.ClientBase, subscription: string): Promise<void> {
  const until = performance.now() + 600_000;
  for (;;) {
    const { rows } = await client.query<{ waiting: number }>(
      `SELECT count(*) FILTER (WHERE r.srsubstate <> 'r')::int AS waiting
       FROM pg_subscription_rel r JOIN pg_subscription s ON s.oid = r.srsubid
         JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database()
       WHERE s.subname = $1`,
      [subscription],
    );
    if (rows[0]?.waiting === 0) return;
    if (performance.now() > until)
      throw new Error(`The shard did not copy the directory within ten minutes. Read its PostgreSQL log.`);
    await pause(100);
  }
}

/** Returns how far the shards' copies are behind the directory, in bytes of its log, by shard. */
export async function copyLag(directory: pg.ClientBase): Promise<Map<string, number>> {
  const { rows } = await directory.query<{ slot: string; behind: string | null }>(
    `SELECT slot_name AS slot,
       pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::text AS behind
     FROM pg_replication_slots WHERE starts_with(slot_name, $1)`,
    [`${publication}_`],
  );
  return new Map(rows.map(({ slot, behind }) => [slot.slice(publication.length + 1), Number(behind ?? 0)]));
}
