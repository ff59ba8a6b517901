import pg from "pg";
import { afterAll } from "vitest";
import { env } from "@/lib/config/env";

/**
 * Opens a connection on which statements run no triggers and no checks of foreign keys. It closes
 * after the last test of the file. A connection of the pool would lose its prepared plans with each
 * change of this setting.
 * @param connectionString the database, by default that of the test file
 */
export async function connectWithoutTriggers(connectionString = env().databaseUrl): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("SET session_replication_role = replica");
  afterAll(() => client.end());
  return client;
}
