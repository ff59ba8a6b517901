import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dumpDatabase } from "@/e2e/dump-database";
import { closeDb, db } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { configureDatabase } from "@/lib/testing/configure-database";
import { eventually } from "@/lib/testing/eventually";
import { anOwner } from "@/lib/testing/factories";
import { leaked } from "@/lib/testing/find-secrets-in-text";
import { startIdentityProvider, type TestIdentity } from "@/lib/testing/identity-provider";
import { signInByScript } from "@/lib/testing/oidc/scripted-sign-in";
import { ownDatabase } from "@/lib/testing/own-database";
import { type Service, startService } from "@/lib/testing/service-process";
import { makeDue } from "@/lib/testing/working-linked-accounts";
import { beginLink, finishLink, type LinkingOwner } from "./link-account";

let postgres: Awaited<ReturnType<typeof ownDatabase>>;
let corp: TestIdentity;
let copies: Service[] = [];
let environment: Record<string, string> = {};
beforeAll(async () => {
  [postgres, corp] = await Promise.all([ownDatabase(), startIdentityProvider("corp")]);
  const settings = {
    DATABASE_URL: postgres.url,
    SECRET: randomBytes(24).toString("hex"),
    PUBLIC_URL: "http://localhost:3000",
    OIDC_PROVIDERS: JSON.stringify([corp.setting]),
    ALLOW_PRIVATE_FETCH: corp.origin,
  };
  environment = settings;
  await configureDatabase(settings);
  copies = await Promise.all([startService(environment), startService(environment)]);
});
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  corp?.close();
  await closePubsub();
  await closeDb();
  await postgres?.end();
});

/**
 * Links an account.
 * @returns its ID in this database
 */
async function link(owner: LinkingOwner, account: string): Promise<string> {
  const { location } = await beginLink(owner, { provider: "corp", asked: ["mail.read"] });
  const outcome = await finishLink(owner, "corp", await signInByScript(location, { account }));
  if (outcome.kind !== "linked") throw new Error(outcome.kind);
  return outcome.integrationId;
}
const refreshTokens = () => corp.issued().filter(({ kind }) => kind === "RefreshToken");

test("uses each of 20 refresh tokens only once across two instances", async () => {
  const owner = await anOwner();
  const ids: string[] = [];
  for (let at = 0; at < 20; at++) ids.push(await link(owner, `robin-${at}`));
  expect(refreshTokens()).toHaveLength(20);
  for (let round = 1; round <= 3; round++) {
    await Promise.all(ids.map(makeDue));
    await eventually(() => expect(refreshTokens()).toHaveLength(20 * (round + 1)));
    await eventually(async () => expect(await db.integration.count({ where: { lease: { not: null } } })).toBe(0));
  }
  // Each account got four tokens. The last one is stored and unused. Each of the others was used
  // once.
  const uses = refreshTokens().map((token) => token.uses);
  expect(uses.filter((count) => count === 1)).toHaveLength(60);
  expect(uses.filter((count) => count === 0)).toHaveLength(20);
  const standing = await db.integration.findMany({ where: { ownerId: owner.ownerId }, select: { status: true } });
  expect(standing).toEqual(Array(20).fill({ status: "connected" }));
  expect(await db.notification.count({ where: { ownerId: owner.ownerId } })).toBe(0);

  const secrets = [...corp.issued().map(({ value }) => value), corp.clientSecret];
  expect(leaked([await dumpDatabase(), ...copies.map((copy) => copy.output())].join("\n"), secrets)).toEqual([]);
});

test("takes over a check when another instance is killed", async () => {
  const owner = await anOwner();
  const id = await link(owner, "robin-killed");
  const standing = () => db.integration.findUniqueOrThrow({ where: { id } });
  await copies.pop()?.stop();
  corp.fault("refresh", "slow", "robin-killed");
  await makeDue(id);
  await eventually(async () => expect((await standing()).lease).not.toBeNull());
  copies[0]?.child.kill("SIGKILL");
  await copies.pop()?.ended;
  corp.heal();
  const { refreshedAt } = await standing();
  // Makes the dead instance's one-minute lease expire.
  await db.$executeRaw`
    UPDATE integration SET lease_until = lease_until - interval '61 seconds', check_at = check_at - interval '61 seconds'
    WHERE id = ${id}`;
  copies.push(await startService(environment));
  await eventually(async () => expect((await standing()).refreshedAt).not.toEqual(refreshedAt));
  expect(await standing()).toMatchObject({ status: "connected", lease: null, failures: 0 });
});
