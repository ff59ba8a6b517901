import { randomBytes } from "node:crypto";
import { expect, inject } from "vitest";
import { prepareTemplate } from "./prepare-template";
import { rememberShards } from "./shards/known-shards";
import { misplacedRows } from "./shards/misplaced-rows";
import { testShards } from "./shards/shard-count";
import { createShards, dropShards } from "./shards/test-shards";
import {
  copyDatabase,
  inDatabase,
  query,
  type Throwaway,
  throwawayPostgres,
  withTestClient,
} from "./temporary-postgres";

/**
 * A migrated database for processes that test files start. With TEST_SHARDS, it is a directory, and
 * `startService`, `runProgram` and commands also get its shards (./shards/known-shards.ts).
 */
export type OwnDatabase = {
  name: string;
  url: string;
  /** The URLs of the database and its shards. */
  urls: readonly string[];
  /** Drops the database. @throws if a row of an owner is on another shard than its owner */
  end: () => Promise<void>;
};

/**
 * Creates a separate migrated database in the test run's PostgreSQL.
 * @param original a database to copy, to which nothing is connected
 */
export async function ownDatabase(original?: OwnDatabase): Promise<OwnDatabase> {
  const { url, template } = inject("postgres");
  return createDatabase(url, original?.name ?? template, `${template}_${randomBytes(4).toString("hex")}`);
}

async function createDatabase(server: string, template: string, name: string): Promise<OwnDatabase> {
  const url = inDatabase(server, name);
  const shards = await withTestClient(server, async (admin) => {
    await copyDatabase(admin, template, name);
    return createShards(admin, server, template, name);
  });
  rememberShards(url, shards);
  return {
    name,
    url,
    urls: [url, ...shards.map((shard) => shard.url)],
    end: async () => {
      try {
        if (testShards > 0)
          expect(await misplacedRows(url, shards), "rows on another shard than their owner's").toEqual([]);
      } finally {
        await withTestClient(server, (admin) => dropShards(admin, name));
        await query(server, `DROP DATABASE ${name} WITH (FORCE)`);
      }
    },
  };
}

/**
 * Starts a separate PostgreSQL server for processes, which the test can stop. With TEST_SHARDS, the
 * server has the databases of all shards. Otherwise its database is empty.
 */
export async function ownServer(): Promise<Throwaway & Pick<OwnDatabase, "urls">> {
  const server = await throwawayPostgres();
  if (testShards === 0) return { ...server, urls: [server.url] };
  await prepareTemplate(server.url, "prepared");
  const { url, urls, end } = await createDatabase(server.url, "prepared", "countersign");
  return { ...server, url, urls, end: () => end().finally(server.end) };
}
