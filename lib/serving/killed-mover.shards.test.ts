import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { disconnect } from "@/lib/database/db";
import { homeOf } from "@/lib/database/shards/homes";
import { movedTables } from "@/lib/database/shards/moves/owner-tables";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { anAppWith } from "@/lib/testing/factories";
import { finished } from "@/lib/testing/operator-command";
import { runProgram, type Service, startService } from "@/lib/testing/service-process";
import { type ShardServers, shardServers } from "@/lib/testing/shards/shard-servers";

/*
 * The command that moves homes runs as a process and is killed, while an instance serves the homes.
 * Locks stop the command at the exact place. The tests run in order.
 */

const SECRET = "a-secret-for-killed-movers-0123456789abcdef0123";
const DATA_DIR = newDataDir(0o700);
const run = join(import.meta.dirname, "../cli/run-typescript.mjs");
const gate = 7701;
let servers: ShardServers;
let service: Service;
let environment: Record<string, string>;
let clients: { directory: pg.Client; one: pg.Client; two: pg.Client };
let token: string;
let ownerId: string;
let [from, to]: ["one" | "two", "one" | "two"] = ["one", "two"];

beforeAll(async () => {
  servers = await shardServers();
  await servers.connect({ SECRET });
  const made = await anAppWith("approvals:write", "approvals:read");
  [token, ownerId] = [made.token, made.owner.ownerId];
  if (homeOf(ownerId) >= 512) [from, to] = [to, from];
  await disconnect();
  environment = { ...servers.settings, SECRET, DATA_DIR };
  service = await startService({ ...environment, DATABASE_POOL: "5" });
  const [directory, one, two] = await Promise.all([servers.directory, ...servers.shards].map(({ url }) => open(url)));
  clients = { directory: directory!, one: one!, two: two! };
});
afterAll(async () => {
  await Promise.all(Object.values(clients ?? {}).map((client) => client.end()));
  await service?.stop();
  await servers?.end();
  removeDataDir(DATA_DIR);
});

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

const mover = (target = to) =>
  runProgram(
    [run, "lib/cli/main.ts", "shards", "move", String(homeOf(ownerId)), "--to", target, "--json"],
    environment,
  );

async function ask(question: string): Promise<{ status: number; id?: string }> {
  const body = {
    question,
    options: [
      { id: "yes", label: "Yes" },
      { id: "no", label: "No" },
    ],
  };
  const reply = await fetch(`${service.url}/api/approvals`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { id } = (await reply.json()) as { id?: string };
  return { status: reply.status, ...(id !== undefined && { id }) };
}

/** Returns the owner's questions, and the number of all their rows, on a shard. */
async function stored(shard: "one" | "two"): Promise<{ asked: string[]; rows: number }> {
  const client = clients[shard];
  let rows = 0;
  // The log of requests is written later.
  const tables = (await movedTables(client)).filter(({ name }) => name !== "api_request");
  for (const { name, owner } of tables)
    rows += (await client.query(`SELECT FROM public."${name}" WHERE ${owner} = $1`, [ownerId])).rowCount ?? 0;
  const asked = await client.query(
    "SELECT subject AS id FROM event WHERE owner_id = $1 AND type = 'approval.submitted' ORDER BY tx, id",
    [ownerId],
  );
  return { asked: asked.rows.map(({ id }) => id), rows };
}

/** Lets changes of a table wait for the gate. Returns a function that removes the trigger. */
async function gateAt(client: pg.Client, table: string, trigger: string): Promise<() => Promise<void>> {
  await client.query(`SELECT pg_advisory_lock(${gate})`);
  await client.query(
    `CREATE FUNCTION await_gate() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${gate}); RETURN NEW; END $$`,
  );
  await client.query(`CREATE TRIGGER await_gate ${trigger} EXECUTE FUNCTION await_gate()`);
  await client.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER await_gate`);
  return async () => {
    await client.query(`SELECT pg_advisory_unlock(${gate})`);
    await client.query(`DROP FUNCTION await_gate CASCADE`);
  };
}
/** Returns the processes of PostgreSQL that wait for the gate. */
const waiting = async (client: pg.Client): Promise<number[]> =>
  (
    await client.query(
      `SELECT l.pid FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objid = ${gate} AND NOT l.granted`,
    )
  ).rows.map(({ pid }) => pid);

test("moves all rows once after the mover was killed while it copied", async () => {
  const asked = [(await ask("Before the move?")).id];
  const open = await gateAt(clients[to], "approval", "BEFORE INSERT ON approval FOR EACH ROW");
  const { child, ended } = mover();
  await expect.poll(() => waiting(clients[to])).toHaveLength(1);
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  await open();
  // The homes are still on the former shard.
  asked.push((await ask("After the crash?")).id);
  expect((await stored(from)).asked).toEqual(asked);
  const { rows } = await stored(from);

  const { status, err } = await finished(mover());
  expect(status, err).toBe(0);
  // The killed process does not delay the switch.
  expect(err).not.toContain("must wait");
  expect(await stored(to)).toEqual({ asked, rows });
  expect(await stored(from)).toEqual({ asked: [], rows: 0 });
  expect((await ask("After the move?")).status).toBe(201);
});

test("serves the homes after the mover was killed within the switch", async () => {
  [from, to] = [to, from];
  const { asked } = await stored(from);
  const { directory } = clients;
  const open = await gateAt(
    directory,
    "home_placement",
    "BEFORE UPDATE ON home_placement FOR EACH ROW WHEN (OLD.changed_at = 'infinity')",
  );
  const { child, ended } = mover();
  await expect.poll(() => waiting(directory)).toHaveLength(1);
  const [pid] = await waiting(directory);
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  // A waiting statement would otherwise survive its client.
  await directory.query("SELECT pg_terminate_backend($1)", [pid]);
  await open();
  const again: { status: number; id?: string }[] = [];
  await expect.poll(async () => again.push(await ask("After the crash?")) && again.at(-1)?.status).toBe(201);
  const acknowledged = again.flatMap(({ id }) => id ?? []);
  expect((await stored(to)).asked).toEqual([...asked, ...acknowledged]);
  expect(service.output()).toContain("this instance has completed the switch");

  const { status, err } = await finished(mover());
  expect(status, err).toBe(0);
  expect((await stored(to)).asked).toEqual([...asked, ...acknowledged]);
  expect((await stored(from)).rows).toBe(0);
});
