import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { command, finished } from "@/lib/testing/command";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { runProgram } from "@/lib/testing/service";

const environment = { DATA_DIR: newDataDir() };
afterAll(() => removeDataDir(environment.DATA_DIR));

const newOwner = (email: string, password = "a password of some length") =>
  command(environment, ["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], password);

test("the first command makes the database, and stdout is one JSON object all the same", async () => {
  expect((await newOwner("olive@example.com")).json()).toEqual({ ownerId: expect.stringMatching(/^own_/) });
  expect((await command(environment, ["owner", "list"])).json()).toMatchObject({
    owners: [{ email: "olive@example.com" }],
  });
});

test("two at once share the database, and the last one stops it", async () => {
  const made = await Promise.all([newOwner("a@example.com"), newOwner("b@example.com"), newOwner("c@example.com")]);
  expect(made.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(existsSync(join(environment.DATA_DIR, "postgres", "postmaster.pid"))).toBe(false);
});

test.each([
  [
    "an account that is there",
    ["owner", "create", "--email", "OLIVE@example.com", "--name", "O", "--password-stdin"],
    "already has",
  ],
  ["an unknown owner", ["app", "create", "--owner", "nobody@example.com", "--name", "X"], "nobody@example.com"],
  [
    "a redirect address that will not do",
    ["app", "create", "--owner", "olive@example.com", "--name", "Xylo", "--redirect-uri", "http://evil.example/x"],
    "redirectUris",
  ],
  [
    "an unknown app",
    ["token", "create", "--owner", "olive@example.com", "--app", "app_no", "--scope", "approvals:read"],
    "app_no",
  ],
  ["an unknown token", ["token", "revoke", "tok_no"], "no such token"],
])("%s is one sentence, status 1", async (_, args, words) => {
  const { status, out, err } = await command(environment, args, "a password of some length");
  expect(err).toContain(words);
  expect(err).toMatch(/^[^\n]+[.!?]\n$/);
  expect(out).toBe("");
  expect(status).toBe(1);
});

test.each([
  [[]],
  [["owner"]],
  [["owner", "destroy"]],
  [["owner", "create", "--email", "x@example.com"]],
  [["owner", "list", "--colour"]],
  [["token", "revoke"]],
  [["token", "create", "--owner", "olive@example.com", "--app", "x", "--scope", "everything"]],
  [["token", "create", "--owner", "olive@example.com", "--app", "x", "--scope", "approvals:read", "--for", "both"]],
])("wrong usage says how, status 2: %j", async (args) => {
  const { status, out, err } = await command(environment, args);
  expect(err).toContain("Usage: npm run -s countersign -- COMMAND");
  expect(out).toBe("");
  expect(status).toBe(2);
});

test("the seed fills an inbox once, says so the second time, and adds more when asked", async () => {
  const folder = { DATA_DIR: newDataDir() };
  const seed = (...args: string[]) =>
    finished(runProgram([join(import.meta.dirname, "run.mjs"), "prisma/seed.ts", ...args], folder));
  expect((await seed()).out).toMatch(/olive@example\.com[\s\S]*csn_pat_/);
  const second = await seed();
  expect(second.status).toBe(1);
  expect(second.err).toContain("olive@example.com is already there");
  expect((await seed("--again")).status).toBe(0);
  removeDataDir(folder.DATA_DIR);
});
