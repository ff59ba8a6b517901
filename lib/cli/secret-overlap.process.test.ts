import { afterAll, beforeAll, expect, test } from "vitest";
import type { PublishedKeys } from "@/lib/receipts/receipt-keys";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { obeyed } from "@/lib/testing/operator-command";
import { ownDatabase } from "@/lib/testing/own-database";
import { type Service, startService } from "@/lib/testing/service-process";

/*
 * Replaces SECRET as docs/operations.md describes, with two instances. The first instance stays at
 * the former secret while the second one already uses the new secret. The tests must run in order.
 */

const former = "the-former-secret-0123456789abcdef0123456789ab";
const next = "the-new-secret-0123456789abcdef0123456789abcdef";
const [email, password] = ["olive@example.com", "a password of some length"];
const folders = [newDataDir(0o700), newDataDir(0o700)] as const;
let postgres: Awaited<ReturnType<typeof ownDatabase>>;
let [first, second]: [Service, Service] = [] as never;
let tokens: string[] = [];
let clientId: string;

const settings = (SECRET: string, SECRET_PREVIOUS = "") => ({ DATABASE_URL: postgres.url, SECRET, SECRET_PREVIOUS });
const run = async (given: Record<string, string>, args: string[], input = "") =>
  (await obeyed({ ...given, DATA_DIR: folders[0] }, args, input)).json();
const aToken = async (given: Record<string, string>) => {
  const scopes = ["write", "read", "resolve"].flatMap((name) => ["--scope", `approvals:${name}`]);
  return String((await run(given, ["token", "create", "--owner", email, "--app", clientId, ...scopes])).token);
};

beforeAll(async () => {
  postgres = await ownDatabase();
  await run(settings(former), ["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], password);
  clientId = String((await run(settings(former), ["app", "create", "--owner", email, "--name", "Courier"])).clientId);
  tokens = [await aToken(settings(former))];
  [first, second] = await Promise.all([
    startService({ ...settings(former, next), DATA_DIR: folders[0] }),
    startService({ ...settings(next, former), DATA_DIR: folders[1] }),
  ]);
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await postgres.end();
  for (const folder of folders) removeDataDir(folder);
});

/** Signs in at an instance. @returns the session cookie */
async function signedIn({ url }: Service): Promise<string> {
  const reply = await fetch(`${url}/acts/session.start`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ email, password }),
    redirect: "manual",
  });
  await reply.text();
  const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  expect(cookies.join()).toContain("session=");
  return cookies.join("; ");
}
/** Returns the path to which the inbox redirects, or its status. */
async function inbox({ url }: Service, cookie: string) {
  const reply = await fetch(`${url}/approvals`, { headers: { cookie }, redirect: "manual" });
  // A stopping instance waits for clients that have not read their responses.
  await reply.text();
  return reply.headers.get("location") ?? reply.status;
}
const ask = (service: Service, token: string, path: string, body?: object) =>
  fetch(`${service.url}/api/approvals${path}`, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
async function receiptKey(service: Service, token: string) {
  const question = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };
  const { id } = (await (await ask(service, token, "", question)).json()) as { id: string };
  const resolved = await ask(service, token, `/${id}/resolve`, { kind: "option", optionId: "yes" });
  expect([resolved.status, await resolved.json()]).toEqual([200, { ok: true }]);
  const { receipt } = (await (await ask(service, token, `/${id}/receipt`)).json()) as { receipt: string };
  return JSON.parse(Buffer.from(receipt.split(".")[0] ?? "", "base64url").toString()).kid as string;
}
let cookies: string[];
let kid: string;

test("accepts sessions and tokens from an instance with the other secret", async () => {
  cookies = [await signedIn(first), await signedIn(second)];
  tokens.push(await aToken(settings(former, next)), await aToken(settings(next, former)));
  kid = await receiptKey(first, tokens[0] as string);
  for (const service of [first, second]) {
    for (const cookie of cookies) expect(await inbox(service, cookie)).toBe(200);
    for (const token of tokens) expect(await receiptKey(service, token)).toBe(kid);
  }
});

test("rotates while both instances run, and then needs only the new secret", async () => {
  expect(await run(settings(next, former), ["secret", "rotate"])).toMatchObject({ rotated: true, receiptKey: true });
  for (const service of [first, second]) for (const token of tokens) expect(await receiptKey(service, token)).toBe(kid);
  await first.stop();
  first = await startService({ ...settings(next), DATA_DIR: folders[0] });
  for (const token of tokens) expect(await receiptKey(first, token)).toBe(kid);
  // The owner signed in at the first instance with the former secret, which is no longer accepted.
  expect(await inbox(first, cookies[0] as string)).toContain("/sign-in");
  expect(await inbox(first, cookies[1] as string)).toBe(200);
  expect(await inbox(second, cookies[0] as string)).toBe(200);
  expect((await obeyed({ ...settings(former), DATA_DIR: folders[0] }, ["owner", "list"])).status).toBe(1);
});

test("publishes a revoked receipt key on every instance without a restart", async () => {
  const { replacement } = await run(settings(next, former), ["keys", "revoke", kid, "--since", "2025-01-01"]);
  for (const service of [first, second]) {
    const published = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as PublishedKeys;
    expect(published.keys.map((key) => key.kid)).toEqual([replacement]);
    expect(published.revoked_keys?.map((key) => [key.kid, key.revoked.revoked_at])).toEqual([[kid, 1_735_689_600]]);
    expect(await receiptKey(service, tokens[0] as string)).toBe(replacement);
  }
});
