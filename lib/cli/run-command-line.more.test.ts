import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { command, finished } from "@/lib/testing/operator-command";
import { runProgram } from "@/lib/testing/service-process";

const environment = { DATA_DIR: newDataDir() };
afterAll(() => removeDataDir(environment.DATA_DIR));

const newOwner = (email: string, password = "a password of some length") =>
  command(environment, ["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], password);

test("creates the database when the first command runs", async () => {
  const elsewhere = await command(environment, ["app", "create", "--owner", "olive@example.com", "--name", "Bot"]);
  expect(elsewhere.err).toContain(
    'This database has no owners. Run "owner create", or set DATA_DIR or DATABASE_URL to the service\'s value.',
  );
  expect((await newOwner("olive@example.com")).json()).toEqual({ ownerId: expect.stringMatching(/^own_/) });
  expect((await command(environment, ["owner", "list"])).json()).toMatchObject({
    owners: [{ email: "olive@example.com" }],
  });
});

test("shares one database between concurrent commands", async () => {
  const made = await Promise.all([newOwner("a@example.com"), newOwner("b@example.com"), newOwner("c@example.com")]);
  expect(made.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(existsSync(join(environment.DATA_DIR, "postgres", "postmaster.pid"))).toBe(false);
});

test.each([
  [
    "reports a failed command in one sentence, with status 1",
    ["token", "revoke", "tok_no"],
    /^No token has this value or ID\. Find token IDs with "grant list"\.\n$/,
    1,
  ],
  [
    "reports wrong usage, with status 2",
    ["owner", "list", "--colour"],
    /^error: unknown option '--colour'\nAdd --help to see the command's options\.\n$/,
    2,
  ],
])("%s", async (_, args, words, status) => {
  expect(await command(environment, args)).toMatchObject({ status, out: "", err: expect.stringMatching(words) });
});

test("reads files relative to the caller's folder", async () => {
  const folder = environment.DATA_DIR;
  const entrypoint = join(import.meta.dirname, "../../deploy/entrypoint");
  const link = join(folder, "countersign");
  symlinkSync(join(import.meta.dirname, "countersign.mjs"), link);
  writeFileSync(join(folder, "context.md"), "All green");
  const called = (args: string[]) => finished(runProgram([link, ...args], environment, "", undefined, folder));
  expect((await called(["owner", "--help"])).out).toMatch(/^Usage: countersign owner <command>/);
  expect(execFileSync(entrypoint, ["owner", "--help"], { encoding: "utf8" })).toContain(`Usage: ${entrypoint} owner `);
  const asked = ["ask", "Ship?", "--option", "yes", "--context"];
  expect((await called([...asked, "context.md"])).err).toContain("COUNTERSIGN_TOKEN is missing");
  expect((await called([...asked, "other.md"])).err).toBe(
    "Can't read the file other.md. Check its path and permissions.\n",
  );
});
