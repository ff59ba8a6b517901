import { randomBytes } from "node:crypto";
import { migrate } from "@/lib/postgres/migrations";
import { inDatabase, query, throwawayPostgres } from "./temporary-postgres";

/** Settings of a temporary server whose databases replicate to each other. */
export const replicating = [
  ...["fsync=off", "full_page_writes=off", "synchronous_commit=off"],
  ...["wal_level=logical", "max_wal_senders=20", "max_replication_slots=20", "max_worker_processes=30"],
];

/**
 * Starts a server with logical replication, a migrated directory, and an empty database for a
 * second shard.
 */
export async function replicatingPostgres() {
  const server = await throwawayPostgres(replicating);
  const name = `shards_${randomBytes(3).toString("hex")}`;
  const urls = { main: inDatabase(server.url, name), two: inDatabase(server.url, `${name}_two`) };
  await query(server.url, `CREATE DATABASE ${name}`);
  await migrate(urls.main);
  await query(server.url, `CREATE DATABASE ${name}_two`);
  return { ...urls, server, end: () => server.end() };
}
