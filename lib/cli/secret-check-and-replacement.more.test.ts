import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { command, finished, obeyed } from "@/lib/testing/operator-command";
import { ownDatabase } from "@/lib/testing/own-database";
import { runProgram, startProgram } from "@/lib/testing/service-process";
import { query } from "@/lib/testing/temporary-postgres";

// Tests the life of a secret and its database. The tests must run in order.
const postgres = await ownDatabase();
const DATA_DIR = newDataDir();
const file = join(DATA_DIR, "secret");
const kept = join(DATA_DIR, "kept-elsewhere");
afterAll(async () => {
  await postgres.end();
  removeDataDir(DATA_DIR);
});

const other = "another-secret-0123456789abcdef0123456789abcdef";
const given = (more: Record<string, string> = {}) => ({ DATABASE_URL: postgres.url, DATA_DIR, ...more });
const list = (more?: Record<string, string>) => obeyed(given(more), ["owner", "list"]);
const started = (more?: Record<string, string>) =>
  finished(runProgram([startProgram, "--built"], { PORT: "0", ...given(more) }));
const wordsOf = (said: string) => said.split("\n").filter((line) => line.includes("secret replace"));

test("creates only one secret for concurrent first commands", async () => {
  const copies = await Promise.all([1, 2].map(() => command(given(), ["owner", "list"])));
  expect(copies.map(({ status }) => status)).toEqual([0, 0]);
  expect((await list({ SECRET: other })).status).toBe(0);
  const args = ["owner", "create", "--email", "olive@example.com", "--name", "Olive", "--password-stdin"];
  expect((await obeyed(given(), args, "a password of some length")).status).toBe(0);
  expect((await list()).status).toBe(0);
});

test("rejects a different SECRET without printing either secret", async () => {
  for (const refused of [await started({ SECRET: other }), await list({ SECRET: other })]) {
    expect(refused.status).toBe(1);
    expect(wordsOf(refused.err)).toEqual([
      'SECRET does not match this database. Restore the previous secret. To continue with a new secret, run "npm run -s countersign -- secret replace".',
    ]);
    for (const shown of [other, readFileSync(file, "utf8").trim()]) expect(refused.err).not.toContain(shown);
  }
  expect((await list()).status).toBe(0);
});

test("creates no new secret if the database has owners", async () => {
  renameSync(file, kept);
  for (const refused of [await started(), await list(), await obeyed(given(), ["keys", "forget", "--yes"])]) {
    expect(refused.status).toBe(1);
    expect(wordsOf(refused.err)).toEqual([
      `The secret file ${file} is missing, but the database has owners whose access depends on the secret. Restore the file, or set SECRET to the previous secret. To continue with a new secret, run "npm run -s countersign -- secret replace".`,
    ]);
    expect(existsSync(file)).toBe(false);
  }
  renameSync(kept, file);
  expect((await list()).status).toBe(0);
});

test("requires the original SECRET even if the database has no row in secret_check", async () => {
  await Promise.all(postgres.urls.map((url) => query(url, "DELETE FROM secret_check")));
  renameSync(file, kept);
  expect((await list()).status).toBe(1);
  renameSync(kept, file);
  expect((await list()).status).toBe(0);
  expect((await list({ SECRET: other })).status).toBe(1);
});

test("rejects a different secret for a copied database", async () => {
  const copy = await ownDatabase(postgres);
  const restored = { DATABASE_URL: copy.url, DATA_DIR: newDataDir() };
  expect((await list(restored)).status).toBe(1);
  expect((await list({ ...restored, SECRET: readFileSync(file, "utf8").trim() })).status).toBe(0);
  await copy.end();
  removeDataDir(restored.DATA_DIR);
});

test("replaces the secret only if the --yes option is given", async () => {
  renameSync(file, kept);
  const asked = await obeyed(given(), ["secret", "replace"]);
  expect(asked).toMatchObject({
    status: 1,
    out: "",
    err: expect.stringMatching(/^This command permanently invalidates every session, .*--yes\.\n$/),
  });
  expect(existsSync(file)).toBe(false);
  expect((await obeyed(given(), ["secret", "replace", "--yes"])).json()).toEqual({ replaced: true });
  expect(readFileSync(file, "utf8")).not.toBe(readFileSync(kept, "utf8"));
  expect((await list()).status).toBe(0);
  expect((await list({ SECRET: readFileSync(kept, "utf8").trim() })).status).toBe(1);
  expect((await obeyed(given(), ["secret", "replace"])).json()).toEqual({ replaced: false });
  expect((await obeyed(given({ SECRET: other }), ["secret", "replace", "--yes"])).json()).toEqual({ replaced: true });
  expect((await list({ SECRET: other })).status).toBe(0);
});
