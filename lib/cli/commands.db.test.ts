import { expect, test } from "vitest";
import { obeyed } from "@/lib/testing/command";
import { anOwner } from "@/lib/testing/factories";

// As on the command line, in this process; commands.process.test.ts has them as processes.
const { email } = await anOwner();
const run = (args: string[]) => {
  const { DATABASE_URL = "", SECRET = "" } = process.env;
  return obeyed({ DATABASE_URL, SECRET }, args, "a password of some length");
};

test.each([
  [
    "an account that is there",
    ["owner", "create", "--email", email.toUpperCase(), "--name", "O", "--password-stdin"],
    "already has",
  ],
  ["an unknown owner", ["app", "create", "--owner", "nobody@example.com", "--name", "X"], "nobody@example.com"],
  [
    "a redirect address that will not do",
    ["app", "create", "--owner", email, "--name", "Xylo", "--redirect-uri", "http://evil.example/x"],
    "redirectUris",
  ],
  ["an unknown app", ["token", "create", "--owner", email, "--app", "app_no", "--scope", "approvals:read"], "app_no"],
  ["an unknown token", ["token", "revoke", "tok_no"], "no such token"],
])("%s is one sentence, status 1", async (_, args, words) => {
  const { status, out, err } = await run(args);
  expect(err).toContain(words);
  expect(err).toMatch(/^[^\n]+[.!?]\n$/);
  expect([out, status]).toEqual(["", 1]);
});

test.each([
  [[]],
  [["owner"]],
  [["owner", "destroy"]],
  [["owner", "create", "--email", "x@example.com"]],
  [["owner", "list", "--colour"]],
  [["token", "revoke"]],
  [["token", "create", "--owner", email, "--app", "x", "--scope", "everything"]],
  [["token", "create", "--owner", email, "--app", "x", "--scope", "approvals:read", "--for", "both"]],
])("wrong usage says how, status 2: %j", async (args) => {
  const { status, out, err } = await run(args);
  expect(err).toContain("Usage: npm run -s countersign -- COMMAND");
  expect([out, status]).toEqual(["", 2]);
});
