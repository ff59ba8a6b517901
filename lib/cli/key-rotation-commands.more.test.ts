import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSettings } from "@/lib/config/env";
import { closeDb, db } from "@/lib/database/db";
import { openCredential } from "@/lib/integrations/vault";
import { configure } from "@/lib/testing/change-settings";
import { configureDatabase } from "@/lib/testing/configure-database";
import { finished, inWords, obeyed } from "@/lib/testing/operator-command";
import { ownDatabase } from "@/lib/testing/own-database";
import { runProgram, startProgram } from "@/lib/testing/service-process";
import { aWorkingAccount } from "@/lib/testing/working-linked-accounts";

const secret = randomBytes(24).toString("hex");
const otherSecret = randomBytes(24).toString("hex");
let postgres: Awaited<ReturnType<typeof ownDatabase>>;
beforeAll(async () => {
  postgres = await ownDatabase();
  await configureDatabase(given());
});
afterAll(async () => {
  await closeDb();
  await postgres.end();
});

const given = (settings: Record<string, string> = {}) => ({ DATABASE_URL: postgres.url, SECRET: secret, ...settings });
const started = (environment: Record<string, string>) =>
  finished(runProgram([startProgram, "--built"], { PORT: "0", ...environment }));
const oneSentence = /^[^\n]+[.!?]\n$/;

test("creates an INTEGRATION_KEYS entry with a new name", async () => {
  const unreachable = { DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" };
  const { name, entry } = (await obeyed(unreachable, ["keys", "new"])).json() as { name: string; entry: string };
  const keys = readSettings({ ...process.env, INTEGRATION_KEYS: entry }).INTEGRATION_KEYS;
  expect(keys?.get(name)).toHaveLength(32);
  const again = (await obeyed({ ...unreachable, INTEGRATION_KEYS: entry }, ["keys", "new"])).json();
  expect(again).toMatchObject({ name: expect.not.stringMatching(new RegExp(`^${name}$`)) });
  expect(again.entry).not.toBe(entry);
  const { out, status } = await inWords(unreachable, ["keys", "new"]);
  expect(status).toBe(0);
  expect(out).toMatch(
    /^[a-z0-9-]+:[A-Za-z0-9+/]{43}=\n\nThis key is shown only once\..* set INTEGRATION_KEYS to this key\..*"keys rotate"/s,
  );
});

test("re-encrypts linked accounts' credentials when the operator rotates the keys", async () => {
  const accounts = [await aWorkingAccount(), await aWorkingAccount()];
  const entry = `safe:${randomBytes(32).toString("base64")}`;
  const done = (await obeyed(given({ INTEGRATION_KEYS: entry }), ["keys", "rotate"])).json();
  expect(done).toEqual({ keyId: expect.any(String), wrappedBy: "safe", resealed: 2, unreadable: 0, deleted: 1 });
  configure({ INTEGRATION_KEYS: entry });
  for (const account of accounts) expect((await openCredential(db, account))?.credential).toEqual(account.credential);

  const { out } = await inWords(given({ INTEGRATION_KEYS: entry }), ["keys", "rotate"]);
  expect(out).toMatch(/^Encrypted 2 secrets with the new data key key_\w+\. The key "safe" protects the data key\.\n/);
  const back = (await obeyed(given({ INTEGRATION_KEYS: entry }), ["keys", "rotate"])).json();
  expect(back).toMatchObject({ resealed: 2 });
});

test("rejects a wrong SECRET at startup and in commands", async () => {
  await db.integrationSecret.deleteMany();
  await db.dataKey.deleteMany();
  await configureDatabase(given({ INTEGRATION_KEYS: "" }));
  const account = await aWorkingAccount();
  const wrong = given({ SECRET: otherSecret });
  expect((await obeyed(wrong, ["secret", "replace", "--yes"])).status).toBe(0);
  for (const refused of [
    await started(wrong),
    await obeyed(wrong, ["owner", "list"]),
    await obeyed(wrong, ["keys", "rotate"]),
  ]) {
    expect(refused.status).toBe(1);
    const said = refused.err
      .split("\n")
      .filter((line) => line.includes("SECRET"))
      .join("\n");
    expect(said).toMatch(/^The stored secrets were encrypted with a different SECRET .*keys forget"\.$/);
    for (const shown of [secret, otherSecret]) expect(refused.err).not.toContain(shown);
  }
  const asked = await obeyed(wrong, ["keys", "forget"]);
  expect(asked).toMatchObject({ status: 1, out: "", err: expect.stringMatching(oneSentence) });
  expect(asked.err).toContain("1 linked account (1 owner). No configured");
  expect((await obeyed(given(), ["secret", "replace", "--yes"])).status).toBe(0);
  expect((await obeyed(given(), ["owner", "list"])).status).toBe(0);
  expect((await obeyed(given(), ["keys", "forget", "--yes"])).json()).toEqual({ forgotten: 0, owners: 0 });
  expect((await openCredential(db, account))?.credential).toEqual(account.credential);

  expect((await obeyed(wrong, ["keys", "forget", "--yes"])).json()).toEqual({ forgotten: 1, owners: 1 });
  expect((await obeyed(wrong, ["secret", "replace", "--yes"])).status).toBe(0);
  expect((await obeyed(wrong, ["owner", "list"])).status).toBe(0);
  expect(await db.integration.findUniqueOrThrow({ where: { id: account.id } })).toMatchObject({
    status: "needs_reauth",
    statusReason: "credential_unreadable",
  });
  expect(await db.notification.count({ where: { ownerId: account.ownerId } })).toBe(1);
});

test("keeps former public keys after a receipt key rotation", async () => {
  const first = (await obeyed(given({ SECRET: otherSecret }), ["receipts", "rotate"])).json();
  expect(first).toEqual({ kid: expect.stringMatching(/^[\w-]{43}$/), former: 0 });
  const { out, status } = await inWords(given({ SECRET: otherSecret }), ["receipts", "rotate"]);
  expect(status).toBe(0);
  expect(out).toMatch(
    /^The service now signs receipts with the new key [\w-]{43}\. 1 former key remains in \/\.well-known\/jwks\.json/,
  );
});

test("revokes a receipt key since a time, and only ever moves the time earlier", async () => {
  const given = { DATABASE_URL: postgres.url, SECRET: otherSecret };
  const { kid } = (await obeyed(given, ["receipts", "rotate"])).json() as { kid: string };
  const revoke = (key: string, ...since: string[]) => obeyed(given, ["keys", "revoke", key, ...since]);
  expect(await revoke(kid)).toMatchObject({ status: 2, err: expect.stringContaining("--since") });
  expect(await revoke(kid, "--since", "yesterday")).toMatchObject({
    status: 2,
    err: expect.stringContaining("--since must be a time with a time zone, like 2026-11-27T09:30:00Z"),
  });
  expect(await revoke(kid, "--since", "2126-01-01")).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^--since is in the future\./),
  });
  expect(await revoke("nobody", "--since", "0")).toMatchObject({
    status: 1,
    err: expect.stringMatching(new RegExp(`^No receipt key has the ID nobody\\. The keys .* are ${kid}, `)),
  });

  const done = (await revoke(kid, "--since", "1735689600")).json();
  expect(done).toEqual({ kid, since: 1_735_689_600_000, replacement: expect.stringMatching(/^[\w-]{43}$/) });
  expect((await revoke(kid, "--since", "2025-01-01T00:00:00Z")).json()).toEqual({ kid, since: 1_735_689_600_000 });
  expect(await revoke(kid, "--since", "1735689601")).toMatchObject({
    status: 1,
    err: expect.stringContaining("is already revoked since 2025-01-01T00:00:00.000Z"),
  });
  const { out, status } = await inWords(given, ["keys", "revoke", kid, "--since", "2024-12-31"]);
  expect(status).toBe(0);
  expect(out).toMatch(
    new RegExp(`^Revoked the key ${kid} since 2024-12-31T00:00:00.000Z\\.\n.*get each receipt again`, "s"),
  );
});
