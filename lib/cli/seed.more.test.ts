import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDb, db } from "@/lib/database/db";
import { linkedAccounts } from "@/lib/integrations/accounts";
import { openCredential } from "@/lib/integrations/vault";
import { configureDatabase } from "@/lib/testing/configure-database";
import { finished } from "@/lib/testing/operator-command";
import { ownDatabase } from "@/lib/testing/own-database";
import { runProgram } from "@/lib/testing/service-process";

// These tests share one database and build on each other, so their order matters.
let environment: Record<string, string>;
let postgres: Awaited<ReturnType<typeof ownDatabase>>;
const seed = (...args: string[]) =>
  finished(runProgram([join(import.meta.dirname, "run-typescript.mjs"), "prisma/seed.ts", ...args], environment));

beforeAll(async () => {
  postgres = await ownDatabase();
  const settings = { DATABASE_URL: postgres.url, SECRET: randomBytes(24).toString("hex") };
  environment = settings;
  await configureDatabase(settings);
});
afterAll(async () => {
  await closeDb();
  await postgres.end();
});

const accounts = async () => {
  const { id: ownerId } = await db.owner.findFirstOrThrow();
  const linked = await linkedAccounts({ kind: "owner", ownerId });
  return linked.sort((one, other) => one.email.localeCompare(other.email));
};

test("creates an owner with four apps and two linked accounts", async () => {
  const { status, out } = await seed();
  expect([status, out]).toEqual([0, expect.stringMatching(/olive@example\.com[\s\S]*csn_pat_/)]);
  expect(await db.owner.count()).toBe(1);
  expect(await db.app.count()).toBe(4);
  expect(await db.approval.count()).toBeGreaterThan(10);
  expect(await accounts()).toMatchObject([
    {
      label: "Home",
      status: "connected",
      failing: false,
      buckets: ["identity", "mail"],
      seenBy: [{ name: "Mail helper" }],
    },
    { label: "Work", status: "connected", failing: false, buckets: ["identity", "mail", "calendar"] },
  ]);
});

test("creates sample linked accounts that the service never checks", async () => {
  for (const account of await db.integration.findMany()) {
    expect(account.checkAt).toBeNull();
    expect((await openCredential(db, account))?.credential).toMatchObject({ kind: "oauth", accessToken: "made-up" });
  }
});

test("changes no data of an existing owner without --again", async () => {
  const { status, err } = await seed();
  expect([status, err]).toEqual([1, expect.stringContaining("olive@example.com already exists")]);
  expect(await db.owner.count()).toBe(1);
});

test("keeps the linked accounts with --again", async () => {
  const before = (await accounts()).map(({ id }) => id);
  expect((await seed("--again")).status).toBe(0);
  expect((await accounts()).map(({ id }) => id)).toEqual(before);
  expect([await db.owner.count(), await db.app.count()]).toEqual([1, 4]);
});
