import pg from "pg";
import { afterAll } from "vitest";
import { env } from "@/lib/config/env";

/**
 * Opens a connection to the test file's database, on which statements run no triggers. It closes
 * after the last test of the file. A connection of the pool would lose its prepared plans with each
 * change of this setting.
 */
export async function connectWithoutTriggers(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env().databaseUrl });
  await client.connect();
  await client.query("SET session_replication_role = replica");
  afterAll(() => client.end());
  return client;
}
