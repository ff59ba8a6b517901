import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { inWords, obeyed } from "@/lib/testing/operator-command";
import { inDatabase, query } from "@/lib/testing/temporary-postgres";

// An empty database.
const { url, template } = inject("postgres");
const name = `${template}_${randomBytes(4).toString("hex")}`;
const DATA_DIR = newDataDir();
const given = { DATABASE_URL: inDatabase(url, name), DATA_DIR };
beforeAll(() => query(url, `CREATE DATABASE ${name}`));
afterAll(async () => {
  await query(url, `DROP DATABASE ${name} WITH (FORCE)`);
  removeDataDir(DATA_DIR);
});

test("migrates the database only with the migrate command if MIGRATE is off", async () => {
  const off = { ...given, MIGRATE: "off" };
  const refused = await obeyed(off, ["owner", "list"]);
  expect(refused).toMatchObject({ status: 1, out: "" });
  expect(refused.err).toBe(
    'The database lacks the migration 20261128000000_initial. MIGRATE is off, so run "npm run -s countersign -- migrate" first.\n',
  );
  const all = readdirSync("prisma/migrations", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect((await obeyed(off, ["migrate"])).json()).toEqual({ applied: all.map(({ name }) => name).sort() });
  expect((await inWords(off, ["migrate"])).out).toBe("The database is up to date.\n");
  expect(readdirSync(DATA_DIR)).toEqual([]);
  expect((await obeyed(off, ["owner", "list"])).json()).toEqual({ owners: [] });
});

test("changes the retention settings only when the migrate command runs", async () => {
  const kept = async (settings: Record<string, string>, command: string[]) => {
    expect((await obeyed({ ...given, ...settings }, command)).status).toBe(0);
    const client = new pg.Client({ connectionString: given.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query("SELECT event_days, answered_days FROM retention");
    await client.end();
    return rows;
  };
  const said = { RETENTION_EVENTS: "90d", RETENTION_ANSWERED: "30d" };
  expect(await kept(said, ["migrate"])).toEqual([{ event_days: 90, answered_days: 30 }]);
  expect(await kept({}, ["owner", "list"])).toEqual([{ event_days: 90, answered_days: 30 }]);
  expect(await kept({}, ["migrate"])).toEqual([{ event_days: null, answered_days: null }]);
});

test("requires the migrate command for a database restored from a dump", async () => {
  const off = { ...given, MIGRATE: "off" };
  await query(
    given.DATABASE_URL,
    "INSERT INTO event (owner_id, type, subject, tx) VALUES ('own_1', 'owner.signed_in', 'own_1', '1000000000000')",
  );
  expect((await obeyed(off, ["owner", "list"])).err).toMatch(
    /^The database was restored from a dump, .* migrate" first/,
  );
  expect((await obeyed(off, ["migrate"])).status).toBe(0);
  expect((await obeyed(off, ["owner", "list"])).status).toBe(0);
});
