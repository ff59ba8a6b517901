import { expect, test } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import { db } from "@/lib/database/db";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { bearer } from "@/lib/testing/oauth-flow";
import { obeyed } from "@/lib/testing/operator-command";

// Runs commands in this process; run-command-line.more.test.ts runs them as processes.
const { email } = await anOwner();
const run = (args: string[]) => {
  const { DATABASE_URL = "", SECRET = "" } = process.env;
  return obeyed({ DATABASE_URL, SECRET }, args, "a password of some length");
};

test.each([
  [
    "an existing account",
    ["owner", "create", "--email", email.toUpperCase(), "--name", "O", "--password-stdin"],
    "already has",
  ],
  [
    "a placeholder instead of an email",
    ["app", "create", "--owner", "YOUR_EMAIL", "--name", "X"],
    "YOUR_EMAIL is a placeholder. Replace YOUR_EMAIL with the owner's email address.",
  ],
  ["an unknown owner", ["app", "create", "--owner", "nobody@example.com", "--name", "X"], "nobody@example.com"],
  [
    "an invalid redirect URI",
    ["app", "create", "--owner", email, "--name", "Xylo", "--redirect-uri", "http://evil.example/x"],
    "redirectUris",
  ],
  [
    "an unknown app",
    ["token", "create", "--owner", email, "--app", "app_no", "--scope", "approvals:read"],
    'client ID app_no. To find the client ID, run "app list"',
  ],
  ["an unknown token", ["token", "revoke", "tok_no"], "No token has this value or ID"],
])("reports %s in one sentence", async (_, args, words) => {
  const { status, out, err } = await run(args);
  expect(err).toContain(words);
  expect(err).toMatch(/^[^\n]+[.!?]\n$/);
  expect([out, status]).toEqual(["", 1]);
});

test("creates an app's token with default or given scopes for --token", async () => {
  const made = await run(["app", "create", "--owner", email, "--name", "Tokened", "--token"]);
  expect(made).toMatchObject({ status: 0, err: "" });
  const found = await db.token.findUnique({ where: { hash: Buffer.from(hashSecret(JSON.parse(made.out).token)) } });
  expect(found?.scopes.sort()).toEqual(["approvals:read", "approvals:write"]);
  const scopes = ["approvals:write", "notifications:write"];
  const named = scopes.flatMap((scope) => ["--scope", scope]);
  const wider = await run(["app", "create", "--owner", email, "--name", "Wider", "--token", ...named]);
  const wide = await db.token.findUnique({ where: { hash: Buffer.from(hashSecret(JSON.parse(wider.out).token)) } });
  expect(wide?.scopes.sort()).toEqual(scopes);
  expect(await run(["app", "create", "--owner", email, "--name", "None", ...named])).toMatchObject({
    status: 2,
    err: "--scope requires --token.\n",
  });
  const again = await run(["app", "create", "--owner", email, "--name", "Tokened"]);
  expect(again).toMatchObject({ status: 1, err: expect.stringContaining("Add a word to the new name") });
});

test.each(["token", "tokenId"] as const)("revokes a token of any owner, given as its %s", async (form) => {
  const { token, [form]: given } = await anAppWith("approvals:read");
  expect(await run(["token", "revoke", given])).toMatchObject({ status: 0, err: "" });
  await expect(authenticate(bearer(token))).rejects.toMatchObject({ status: 401 });
});

test("suggests ALLOW_PRIVATE_FETCH only for a local webhook URL", async () => {
  const { json } = await run(["app", "create", "--owner", email, "--name", "Hooked"]);
  const add = (url: string, allowed = "") => {
    const { DATABASE_URL = "", SECRET = "" } = process.env;
    const words = ["webhook", "add", "--owner", email, "--app", json().clientId as string, "--url", url];
    return obeyed({ DATABASE_URL, SECRET, ALLOW_PRIVATE_FETCH: allowed }, words);
  };
  const hint = (origin: string) =>
    `In development, set ALLOW_PRIVATE_FETCH=${origin} for this command and for the service.\n`;
  for (const [url, err] of [
    ["http://127.0.0.1:4000/hooks", `url: Must be an https address. ${hint("http://127.0.0.1:4000")}`],
    ["http://worker:4000/", `url: Must be an https address. ${hint("http://worker:4000")}`],
    ["https://10.0.0.7/", `url: Must be an address reachable from the internet. ${hint("https://10.0.0.7")}`],
    ["http://app.example.com/", "url: Must be an https address.\n"],
    ["here", "url: Must be a full URL, like https://app.example/hooks.\n"],
  ] as const)
    expect(await add(url)).toMatchObject({ status: 1, out: "", err });
  expect((await add("http://127.0.0.1:4000/hooks", "http://127.0.0.1:4000")).status).toBe(0);
});
