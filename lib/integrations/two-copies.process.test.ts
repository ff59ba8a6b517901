import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { dumpDatabase } from "@/e2e/dump";
import { closeDb, db } from "@/lib/db";
import { visit } from "@/lib/demo-identity/visit";
import { resetEnv } from "@/lib/env";
import { drainHub } from "@/lib/events/hub";
import { migrate } from "@/lib/postgres/migrations";
import { leaked } from "@/lib/testing/canaries";
import { anOwner } from "@/lib/testing/factories";
import { startIdentityProvider, type TestIdentity } from "@/lib/testing/identity-provider";
import { makeDue } from "@/lib/testing/linked";
import { type Service, startService } from "@/lib/testing/service";
import { type Throwaway, throwawayPostgres } from "@/lib/testing/throwaway";
import { beginLink, finishLink } from "./link";

let postgres: Throwaway;
let corp: TestIdentity;
let copies: Service[] = [];
beforeAll(async () => {
  [postgres, corp] = await Promise.all([throwawayPostgres(), startIdentityProvider("corp")]);
  await migrate(postgres.url);
  const environment = {
    DATABASE_URL: postgres.url,
    SECRET: randomBytes(24).toString("hex"),
    PUBLIC_URL: "http://localhost:3000",
    OIDC_PROVIDERS: JSON.stringify([corp.setting]),
    ALLOW_PRIVATE_FETCH: corp.origin,
  };
  Object.assign(process.env, environment);
  resetEnv();
  copies = await Promise.all([startService(environment), startService(environment)]);
}, 180_000);
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  corp?.close();
  await drainHub();
  await closeDb();
  await postgres?.end();
});

const refreshTokens = () => corp.issued().filter(({ kind }) => kind === "RefreshToken");

test("20 links kept alive by two running copies: each refresh token is used once, and none is lost", async () => {
  const owner = await anOwner();
  const ids: string[] = [];
  for (let at = 0; at < 20; at++) {
    const { location } = await beginLink(owner, { provider: "corp", asked: ["mail.read"] });
    const outcome = await finishLink(owner, "corp", await visit(location, { account: `robin-${at}` }));
    if (outcome.kind !== "linked") throw new Error(outcome.kind);
    ids.push(outcome.integrationId);
  }
  expect(refreshTokens()).toHaveLength(20);
  for (let round = 1; round <= 3; round++) {
    await Promise.all(ids.map(makeDue));
    await vi.waitFor(() => expect(refreshTokens()).toHaveLength(20 * (round + 1)), { timeout: 60_000, interval: 100 });
    await vi.waitFor(async () => expect(await db.integration.count({ where: { lease: { not: null } } })).toBe(0), {
      timeout: 30_000,
      interval: 100,
    });
  }
  // Of each account's four tokens the last is held, and every other was shown once.
  const uses = refreshTokens().map((token) => token.uses);
  expect(uses.filter((count) => count === 1)).toHaveLength(60);
  expect(uses.filter((count) => count === 0)).toHaveLength(20);
  const standing = await db.integration.findMany({ where: { ownerId: owner.ownerId }, select: { status: true } });
  expect(standing).toEqual(Array(20).fill({ status: "connected" }));
  expect(await db.notification.count({ where: { ownerId: owner.ownerId } })).toBe(0);

  const secrets = [...corp.issued().map(({ value }) => value), corp.clientSecret];
  expect(leaked([await dumpDatabase(), ...copies.map((copy) => copy.said())].join("\n"), secrets)).toEqual([]);
}, 240_000);
