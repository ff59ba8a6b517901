import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDataDir } from "@/lib/testing/data-dir";
import { shellBlocks } from "@/lib/testing/markdown-shell-blocks";
import { obeyed } from "@/lib/testing/operator-command";
import { type Service, startService } from "@/lib/testing/service-process";
import { inDatabase, query, type Throwaway, throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { serverAccount } from "./os-user";
import { start, stop } from "./postgres-server";
import { withClient } from "./with-client";

// Runs the shell blocks of docs/operations/backup.md in order, unchanged.
const blocks = shellBlocks("docs/operations/backup.md");
const of = (heading: string, nth = 0) =>
  blocks.filter((it) => it.heading === heading)[nth]?.commands ??
  expect.fail(`There is no block ${nth} of "${heading}"`);

/** The system's PostgreSQL, because the npm package has no backup programs. */
const server = installedServer();
function installedServer() {
  const all = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
  const version = all
    .filter((it) => existsSync(`/usr/lib/postgresql/${it}/bin/pg_ctl`))
    .sort((a, b) => +a - +b)
    .at(-1);
  return version && { folder: `/usr/lib/postgresql/${version}`, version };
}
const whole = server && ["pg_dump", "pg_basebackup"].every((name) => existsSync(`${server.folder}/bin/${name}`));
const missing = "needs PostgreSQL's programs of the system: apt-get install postgresql";

const account = serverAccount();
const folder = mkdtempSync(join(tmpdir(), "countersign-backup-"));
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});
beforeAll(() => own(folder));
/** Makes PostgreSQL's account the owner of a path, because it stores the backups. */
function own(path: string) {
  if (account) chownSync(path, account.uid, account.gid);
  return path;
}
const made = (name: string) => {
  mkdirSync(join(folder, name));
  return own(join(folder, name));
};

/** Runs shell commands as PostgreSQL's account, or as another one. */
async function shell(commands: string, env: Record<string, string>, as = account) {
  const PATH = `${server ? `${server.folder}/bin:` : ""}${process.env.PATH}`;
  const child = spawn("sh", ["-eu", "-c", commands], {
    env: { ...env, PATH, HOME: folder, NODE_ENV: "test" },
    cwd: folder,
    ...(as && { uid: as.uid, gid: as.gid }),
  });
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  child.stderr.on("data", (text) => (said += text));
  const status = await new Promise((resolve) => child.on("close", resolve));
  expect(status, `${commands}\n${said}`).toBe(0);
}
const ourselves = { name: "", uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

const SECRET = "one-for-all-copies-0123456789abcdef0123456789abcdef";
/**
 * Creates a database that belongs to an ordinary role.
 * @returns its URL for this role
 */
async function aDatabase({ url }: Throwaway, name: string) {
  await query(url, "CREATE ROLE plain LOGIN PASSWORD 'throwaway'").catch(() => {});
  await query(url, `CREATE DATABASE ${name} OWNER plain`);
  const address = new URL(inDatabase(url, name));
  address.username = "plain";
  return address.href;
}
const aServer = async () => {
  const it = await throwawayPostgres(["unix_socket_directories="], server || undefined);
  ends.push(it.end);
  return it;
};

/** Starts a service on a database. */
async function serving(DATABASE_URL: string) {
  const DATA_DIR = newDataDir(0o700);
  const given = { DATABASE_URL, SECRET, DATA_DIR, RATE_LIMIT: "0", MAX_PENDING: "0" };
  const service: Service = await startService(given);
  ends.push(service.stop);
  return { service, given };
}
async function anApp(given: Record<string, string>) {
  const run = async (args: string[], input = "") => (await obeyed(given, args, input)).json();
  const email = "olive@example.com";
  await run(["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], "a password of some length");
  return String((await run(["app", "create", "--owner", email, "--name", "Courier", "--token"])).token);
}
const client = (token: string) => {
  const call = async (url: string, path: string, body?: object) => {
    const reply = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return {
      status: reply.status,
      body: (await reply.json()) as { id: string; data: { id: string; data: { id: string } }[] },
    };
  };
  const question = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };
  return {
    call,
    ask: async (url: string) => {
      const { status, body } = await call(url, "/api/approvals", question);
      expect(status).toBe(201);
      return body.id;
    },
    /** Returns all events, or those after a given one. */
    events: async (url: string, after?: string) => {
      const all: { id: string; about: string }[] = [];
      for (let from = after; ; from = all.at(-1)?.id) {
        const { status, body } = await call(url, `/api/events?limit=100${from ? `&after=${from}` : ""}`);
        expect(status).toBe(200);
        all.push(...body.data.map(({ id, data }) => ({ id, about: data.id })));
        if (body.data.length < 100) return all;
      }
    },
  };
};

test("restores a dump of a busy server to a new server", async ({ skip }) => {
  skip(!whole, missing);
  const [first, second] = [await aServer(), await aServer()];
  // The first server has used transaction IDs that the second server has not.
  await query(first.url, "DO $$ BEGIN FOR n IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
  const url = await aDatabase(first, "countersign");
  const before = await serving(url);
  const token = await anApp(before.given);
  const app = client(token);
  const asked: string[] = [];
  let asking = true;
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (asking) asked.push(await app.ask(before.service.url));
    }),
  );
  await expect.poll(() => asked.length).toBeGreaterThan(50);
  const surely = [...asked];
  const BACKUPS = made("dumps");
  await shell(of("Dump"), { BACKUPS, DATABASE_URL: url });
  await shell(of("Dump", 1), { BACKUPS });
  const until = asked.length;
  await expect.poll(() => asked.length).toBeGreaterThan(until);
  asking = false;
  await load;
  const told = await app.events(before.service.url);
  await before.service.stop();

  const RESTORED_URL = await aDatabase(second, "restored");
  await shell(of("Restore a dump"), { BACKUPS, RESTORED_URL });
  const other = await obeyed({ ...before.given, DATABASE_URL: RESTORED_URL, SECRET: SECRET.toUpperCase() }, [
    "owner",
    "list",
  ]);
  expect([other.status, other.err]).toEqual([1, expect.stringMatching(/^SECRET does not match this database/)]);
  const after = await serving(RESTORED_URL);
  const here = await app.events(after.service.url);
  expect(here).toEqual(told.slice(0, here.length));
  expect(surely.filter((id) => !here.some(({ about }) => about === id))).toEqual([]);
  expect((await app.call(after.service.url, `/api/approvals/${surely[0]}`)).status).toBe(200);
  // A reader at this position receives only later events.
  const next = [await app.ask(after.service.url), await app.ask(after.service.url)];
  expect((await app.events(after.service.url, here.at(-1)?.id)).map(({ about }) => about)).toEqual(next);
  const { out } = await obeyed({ ...after.given, PORT: new URL(after.service.url).port }, ["doctor"]);
  expect((JSON.parse(out) as { findings: object[] }).findings).not.toContainEqual(
    expect.objectContaining({ standing: "fail" }),
  );
  await after.service.stop();
});

test("restores a base backup to an earlier point in time", async ({ skip }) => {
  skip(!whole, missing);
  const postgres = await aServer();
  const [ARCHIVE, BACKUPS] = [made("archive"), made("bases")];
  const settings = { ADMIN_URL: postgres.url, ARCHIVE, BACKUPS };
  await shell(of("Base backup and log"), settings);
  await stop(postgres.instance);
  await start(postgres.instance, postgres.port);
  const url = await aDatabase(postgres, "countersign");
  const before = await serving(url);
  const token = await anApp(before.given);
  const app = client(token);
  const old = await app.ask(before.service.url);
  // The doctor reports an unavailable archive until it is available again.
  const archiving = async () => {
    await query(postgres.url, "SELECT pg_switch_wal()");
    return (await obeyed(before.given, ["doctor"])).out;
  };
  renameSync(ARCHIVE, `${ARCHIVE}-away`);
  await expect.poll(archiving).toContain("archive_command is failing");
  renameSync(`${ARCHIVE}-away`, ARCHIVE);
  await expect.poll(archiving, { timeout: 90_000 }).toContain("PostgreSQL archives the write-ahead log");
  await shell(of("Base backup and log", 1), settings);
  const kept = await app.ask(before.service.url);
  const moment = await nowOf(postgres.url);
  const reader = (await app.events(before.service.url)).at(-1)?.id;
  const lost = await app.ask(before.service.url);
  const gone = (await app.events(before.service.url)).at(-1)?.id;
  await query(postgres.url, "SELECT pg_switch_wal()");
  await before.service.stop();

  await stop(postgres.instance);
  renameSync(postgres.instance.data, `${postgres.instance.data}.former`);
  const again = { ...settings, PGDATA: postgres.instance.data, MOMENT: moment };
  await shell(of("Restore to a point in time"), again);
  await start(postgres.instance, postgres.port);
  await expect.poll(() => nowOf(postgres.url).catch(() => "")).not.toBe("");
  await expect
    .poll(() =>
      shell(of("Restore to a point in time", 1), again).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const after = await serving(url);
  const status = async (path: string) => (await app.call(after.service.url, path)).status;
  expect([await status(`/api/approvals/${old}`), await status(`/api/approvals/${kept}`)]).toEqual([200, 200]);
  expect(await status(`/api/approvals/${lost}`)).toBe(404);
  const next = await app.ask(after.service.url);
  expect((await app.events(after.service.url, reader)).map(({ about }) => about)).toEqual([next]);
  expect(await status(`/api/events?after=${gone}`)).toBe(410);
  await after.service.stop();
});

test("restores a backup of the embedded database", async () => {
  const [BACKUPS, DATA_DIR] = [made("folders"), newDataDir()];
  const given = { DATA_DIR };
  ends.push(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  const args = ["owner", "create", "--email", "olive@example.com", "--name", "Olive", "--password-stdin"];
  expect((await obeyed(given, args, "a password of some length")).status).toBe(0);
  const owners = (await obeyed(given, ["owner", "list"])).json();
  await shell(of("The embedded database"), { BACKUPS, DATA_DIR }, ourselves);
  rmSync(DATA_DIR, { recursive: true });
  await shell(of("The embedded database", 1), { BACKUPS, DATA_DIR }, ourselves);
  expect((await obeyed(given, ["owner", "list"])).json()).toEqual(owners);
});

test("covers every command block of the backup documentation", () => {
  expect(blocks.map(({ heading }) => heading)).toEqual([
    ...["Dump", "Dump", "Restore a dump", "Base backup and log", "Base backup and log"],
    ...["Restore to a point in time", "Restore to a point in time"],
    ...["The embedded database", "The embedded database", "The embedded database"],
  ]);
});

async function nowOf(url: string): Promise<string> {
  return withClient(url, async (client) =>
    String((await client.query("SELECT clock_timestamp()::text AS now")).rows[0].now),
  );
}
