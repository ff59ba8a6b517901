import { chownSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { InUse, openCluster } from "./embedded-postgres";
import { serverAccount } from "./os-user";

const dataDir = newDataDir();
afterAll(() => removeDataDir(dataDir));
const lockFile = join(dataDir, "postgres", "postmaster.pid");
const open = (use: "service" | "command") => openCluster(dataDir, use, () => {});

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows[0])
    .finally(() => client.end());
}

const answer = (url: string) =>
  ask(url, "SELECT current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding");
const durability = (url: string) =>
  ask(
    url,
    "SELECT current_setting('synchronous_commit') AS commit, current_setting('full_page_writes') AS pages, current_setting('wal_compression') AS compressed",
  );

/** Returns the number of instances that are serving. Each one holds an exclusive advisory lock. */
const held = (url: string) =>
  ask(
    url,
    "SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted",
  );

test("starts a durable database that requires a password", async () => {
  const cluster = await open("service");
  expect(await answer(cluster.url)).toEqual({ fsync: "on", encoding: "UTF8" });
  expect(await durability(cluster.url)).toEqual({ commit: "on", pages: "on", compressed: "pglz" });
  const wrong = new URL(cluster.url);
  wrong.password = "wrong";
  await expect(answer(wrong.href)).rejects.toThrow(/password authentication failed/);
  await cluster.close();
});

test("ignores a lock file that names another process", async () => {
  const cluster = await open("service");
  const lines = readFileSync(lockFile, "utf8").split("\n");
  await cluster.close();
  // Simulates a lock file whose process ID now belongs to another program, which is this one.
  writeFileSync(lockFile, [process.pid, ...lines.slice(1)].join("\n"), { mode: 0o600 });
  const account = serverAccount();
  if (account) chownSync(lockFile, account.uid, account.gid);
  const again = await open("service");
  expect(await answer(again.url)).toMatchObject({ encoding: "UTF8" });
  await again.close();
});

test("restarts a killed PostgreSQL server at the previous address", async () => {
  const cluster = await open("service");
  process.kill(Number(readFileSync(lockFile, "utf8").split("\n")[0]), "SIGKILL");
  await expect.poll(() => held(cluster.url).catch(() => undefined)).toEqual({ held: 1 });
  await expect(open("service")).rejects.toThrow(InUse);
  await cluster.close();
});

test("stops PostgreSQL when the last process closes the database", async () => {
  const service = await open("service");
  const command = await open("command");
  await service.close();
  expect(await answer(command.url)).toMatchObject({ fsync: "on" });
  await command.close();
  await expect(answer(command.url)).rejects.toThrow(/ECONNREFUSED/);
});
