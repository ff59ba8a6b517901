import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDb, db } from "@/lib/database/db";
import { isDemoRunning, readDemo, setDemoIdentity, toDemoIdentity } from "@/lib/demo-identity/config";
import { clientFor } from "@/lib/integrations/catalogue";
import type { OAuthCredential } from "@/lib/integrations/providers/provider";
import { openCredential, storeCredential } from "@/lib/integrations/vault";
import { createSession } from "@/lib/owners/sessions";
import { finished } from "@/lib/testing/command";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { eventually } from "@/lib/testing/eventually";
import { ownDatabase } from "@/lib/testing/own-database";
import { runProgram, type Service, startService } from "@/lib/testing/service";
import { configure } from "@/lib/testing/settings";
import { sessionClaims, sessionCookie, sessionSecret } from "@/lib/web/auth";

// One data folder through its life: the tests depend on each other in order.
const DATA_DIR = newDataDir();
let environment: Record<string, string>;
let postgres: Awaited<ReturnType<typeof ownDatabase>>;
const running: Service[] = [];
const start = async () => {
  const service = await startService(environment);
  running.push(service);
  return service;
};
const seed = (more: Record<string, string> = {}, ...args: string[]) =>
  finished(runProgram([join(import.meta.dirname, "run.mjs"), "prisma/seed.ts", ...args], { ...environment, ...more }));
const answers = async () => {
  const kept = readDemo(DATA_DIR);
  return kept !== undefined && (await isDemoRunning(kept));
};
const becomes = (wanted: boolean) => eventually(async () => expect(await answers()).toBe(wanted));

beforeAll(async () => {
  postgres = await ownDatabase();
  environment = { DATABASE_URL: postgres.url, SECRET: randomBytes(24).toString("hex"), DATA_DIR };
  configure(environment);
});
afterAll(async () => {
  await Promise.all(running.map((service) => service.stop()));
  await closeDb();
  await postgres.end();
  removeDataDir(DATA_DIR);
});

/** The Integrations page, as the seed's owner sees it. */
async function picker({ url }: Service): Promise<string> {
  const { id: ownerId, sessionVersion } = await db.owner.findFirstOrThrow();
  const opening = { method: "password", userAgent: "", address: "127.0.0.1" } as const;
  const { id: session } = await createSession({ ownerId, sessionVersion }, opening);
  const token = sessionClaims({ ownerId, sessionVersion, session });
  const cookie = `${sessionCookie().name}=${await encode({ token, secret: sessionSecret() })}`;
  return (await fetch(`${url}/integrations/link`, { headers: { cookie } })).text();
}

/** The seed accounts' credentials, renewed at the provider and stored again. */
async function renewAll() {
  const accounts = await db.integration.findMany({ orderBy: { label: "asc" } });
  const renewed: string[] = [];
  setDemoIdentity(toDemoIdentity(readDemo(DATA_DIR)!));
  for (const account of accounts) {
    const { credential } = (await openCredential(db, account))!;
    const asked = { account, renew: true, signal: AbortSignal.timeout(5_000) };
    const answer = await clientFor("demo").check(credential, asked);
    await storeCredential(db, account, answer.credential!);
    expect((answer.credential as OAuthCredential).refreshToken).not.toBe((credential as OAuthCredential).refreshToken);
    renewed.push(`${account.label}: ${account.email}, ${account.buckets}`);
  }
  return renewed;
}
const both = ["Home: olive@home.example, identity,mail", "Work: olive@work.example, identity,mail,calendar"];

test("links nothing from the seed without a data folder", async () => {
  const { status, out } = await seed({ DATA_DIR: "", PUBLIC_URL: "http://localhost:1" });
  expect([status, out]).toEqual([0, expect.stringMatching(/^accounts {5}none$/m)]);
  expect(out).toMatch(/olive@example\.com[\s\S]*csn_pat_/);
  expect(await db.integration.count()).toBe(0);
});

test("changes nothing on a second seed without --again", async () => {
  const { status, err } = await seed();
  expect([status, err]).toEqual([1, expect.stringContaining("olive@example.com already exists")]);
  expect(await db.owner.count()).toBe(1);
});

test("links nothing where owners' browsers could not reach the provider", async () => {
  const { status, out } = await seed({ PUBLIC_URL: "https://yes.example.com" }, "--again");
  expect([status, out]).toEqual([0, expect.stringMatching(/^accounts {5}none$/m)]);
  expect(readDemo(DATA_DIR)).toBeUndefined();
});

test("links two working accounts offline", async () => {
  expect((await seed({}, "--again")).out).toContain("Demo identity");
  expect(await answers()).toBe(false);
  for (const name of ["demo-identity.json", "demo-identity-kept.json"])
    expect(statSync(join(DATA_DIR, name)).mode & 0o777).toBe(0o600);
  const service = await start();
  await eventually(async () => expect(await picker(service)).toContain("Demo identity"));
  expect(await renewAll()).toEqual(both);
});

test("uses a running service's provider, and keeps its accounts", async () => {
  expect((await seed({}, "--again")).status).toBe(0);
  expect(await renewAll()).toEqual(both);
});

test("shares one provider among instances, and restarts it after a crash", async () => {
  const [first] = running;
  const second = await start();
  first?.child.kill("SIGKILL");
  await first?.ended;
  await becomes(true);
  expect(await renewAll()).toEqual(both);
  second.child.kill("SIGKILL");
  await second.ended;
  await becomes(false);
});

test("moves to a free port and keeps its accounts", async () => {
  const { port } = readDemo(DATA_DIR)!;
  const other = createServer((socket) =>
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi"),
  );
  const listens = () =>
    new Promise<boolean>((resolve) => {
      other.once("error", () => resolve(false));
      other.listen(port, "127.0.0.1", () => resolve(true));
    });
  // The previous service may take a moment to exit. A server still there then belongs to another
  // test.
  await eventually(async () => expect(await listens()).toBe(true)).catch(() => {});
  expect(await answers()).toBe(false);
  const service = await start();
  await becomes(true);
  expect(readDemo(DATA_DIR)?.port).not.toBe(port);
  expect(await renewAll()).toEqual(both);
  await service.stop();
  expect(await answers()).toBe(false);
  other.close();
});
