import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freePort } from "@/lib/net/free-port";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { aDatabaseGate, type DatabaseGate } from "@/lib/testing/database-gate";
import { obeyed } from "@/lib/testing/operator-command";
import { ownDatabase } from "@/lib/testing/own-database";
import { type Service, startService } from "@/lib/testing/service-process";
import { inDatabase, query } from "@/lib/testing/temporary-postgres";

/*
 * A service with two shards. The second is an empty database, and is away when the service starts.
 * The tests must run in order.
 */

const { url, template } = inject("postgres");
const name = `${template}_${randomBytes(4).toString("hex")}`;
const DATA_DIR = newDataDir(0o700);
const SECRET = "a-secret-of-two-shards-0123456789abcdef";
let directory: Awaited<ReturnType<typeof ownDatabase>>;
let [main, two]: [DatabaseGate, DatabaseGate] = [] as never;
let service: Service;
let METRICS_PORT: string;

beforeAll(async () => {
  directory = await ownDatabase();
  await query(url, `CREATE DATABASE ${name}`);
  main = await aDatabaseGate(directory.url);
  two = await aDatabaseGate(inDatabase(url, name));
  expect((await obeyed({ DATABASE_URL: directory.url, DATA_DIR, SECRET }, ["owner", "list"])).status).toBe(0);
  await query(directory.url, "INSERT INTO shard (name, number) VALUES ('two', 1)");
  two.close();
  METRICS_PORT = String(await freePort());
  service = await startService({ DATABASE_URL: main.url, SHARDS: `two=${two.url}`, DATA_DIR, SECRET, METRICS_PORT });
});
afterAll(async () => {
  main.open();
  two.open();
  await service?.stop();
  await Promise.all([main.end(), two.end()]);
  await directory.end();
  await query(url, `DROP DATABASE ${name} WITH (FORCE)`);
  removeDataDir(DATA_DIR);
});

const status = async (path: string) => (await fetch(`${service.url}${path}`)).status;
/** Returns the samples of a metric, by the text of their labels. */
async function samples(metric: string): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  const found = [...text.matchAll(new RegExp(`^${metric}(\\{[^}]*\\})? (\\S+)$`, "gm"))];
  return Object.fromEntries(found.map(([, labels = "", value]) => [labels, Number(value)]));
}
const sweep = '{chore="sweep",shard="two"}';
const deadlines = '{chore="deadlines",shard="two"}';

test("starts although a shard is away, and names the shard", async () => {
  expect(service.output()).toMatch(/a shard is unavailable; requests of its owners fail until it is back.*"two"/);
  expect(await status("/readyz")).toBe(200);
  expect(await status("/readyz?strict")).toBe(200);
  expect(await samples("countersign_database_up")).toEqual({ '{shard="main"}': 1, '{shard="two"}': 0 });
  expect(Object.keys(await samples("countersign_chore_last_success_timestamp_seconds"))).toContain(sweep);
});

test("prepares the shard when it is back, and runs its chores", async () => {
  const at = async () => (await samples("countersign_chore_last_success_timestamp_seconds"))[deadlines] ?? 0;
  const before = await at();
  two.open();
  await expect.poll(service.output).toMatch(/a shard is available again, and was prepared.*"two"/);
  await expect.poll(() => samples("countersign_database_up")).toEqual({ '{shard="main"}': 1, '{shard="two"}': 1 });
  await expect.poll(at).toBeGreaterThan(before);
});

test("is healthy while one database responds, and continues the work of its shard", async () => {
  main.close();
  expect(await status("/readyz?strict")).toBe(200);
  const at = async () => (await samples("countersign_chore_last_success_timestamp_seconds"))[deadlines] ?? 0;
  const before = await at();
  await expect.poll(at).toBeGreaterThan(before + 2);
  expect(await samples("countersign_database_up")).toEqual({ '{shard="main"}': 0, '{shard="two"}': 1 });
  two.close();
  expect(await status("/readyz?strict")).toBe(503);
  main.open();
  two.open();
  await expect.poll(() => status("/readyz?strict")).toBe(200);
});
