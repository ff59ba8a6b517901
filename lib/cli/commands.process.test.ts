import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { command } from "@/lib/testing/command";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";

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
  ["what cannot be done is one sentence, status 1", ["token", "revoke", "tok_no"], /^There is no such token\.\n$/, 1],
  [
    "wrong usage says how, status 2",
    ["owner", "list", "--colour"],
    /'--colour'.*\n\nUsage: npm run -s countersign/s,
    2,
  ],
])("%s", async (_, args, words, status) => {
  expect(await command(environment, args)).toMatchObject({ status, out: "", err: expect.stringMatching(words) });
});
