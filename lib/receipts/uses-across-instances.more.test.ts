import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { closeDb } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { freePort } from "@/lib/net/free-port";
import { configureDatabase } from "@/lib/testing/configure-database";
import { eventually } from "@/lib/testing/eventually";
import { anAppWith } from "@/lib/testing/factories";
import { ownDatabase } from "@/lib/testing/own-database";
import { aQuestion } from "@/lib/testing/sample-question";
import { type Service, startService } from "@/lib/testing/service-process";
import { urlOf } from "@/lib/testing/shards/database-of-owner";
import { issueReceipt } from "./receipts";

let postgres: Awaited<ReturnType<typeof ownDatabase>>;
let copies: Service[] = [];
let urls: string[] = [];
let made: Awaited<ReturnType<typeof anAppWith>>;
beforeAll(async () => {
  postgres = await ownDatabase();
  const environment = {
    DATABASE_URL: postgres.url,
    SECRET: randomBytes(24).toString("hex"),
    PUBLIC_URL: "http://localhost:3000",
  };
  await configureDatabase(environment);
  const ports = [await freePort(), await freePort()];
  copies = await Promise.all(ports.map((port) => startService({ ...environment, PORT: String(port) })));
  urls = ports.map((port) => `http://localhost:${port}`);
  made = await anAppWith("approvals:write", "approvals:read");
});
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  await closePubsub();
  await closeDb();
  await postgres?.end();
});

const content = { contentHash: contentHash(aQuestion) };
async function answered() {
  const { id } = await submitApproval(made.app, aQuestion);
  await resolveApproval(made.owner, id, { kind: "option", optionId: "ship" }, content);
  return id;
}

type Reply = { status: number; body: { usedAt?: number; receipt?: string; details?: { reason: string }[] } };
async function post(copy: number, path: string, key: string, body: object, token?: string): Promise<Reply> {
  const reply = await fetch(`${urls[copy]}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": key,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: (await reply.json()) as Reply["body"] };
}
const use = (copy: number, id: string, key: string) => post(copy, `/api/approvals/${id}/use`, key, content, made.token);

test("lets one of a hundred concurrent uses on two instances win, ten times", async () => {
  for (let round = 0; round < 10; round++) {
    const id = await answered();
    const replies = await Promise.all(Array.from({ length: 100 }, (_, n) => use(n % 2, id, `key ${n}`)));
    const [winner, ...others] = replies.filter(({ status }) => status === 200);
    expect([others.length, winner?.body.usedAt]).toEqual([0, expect.any(Number)]);
    for (const { status, body } of replies)
      if (status !== 200) expect([status, body.details?.[0]]).toMatchObject([409, { reason: "used" }]);
    const key = `key ${replies.indexOf(winner as Reply)}`;
    expect(await use(round % 2, id, key)).toEqual(winner);
  }
});

test("uses an answer with nothing but its receipt", async () => {
  const receipt = await issueReceipt(made.app, await answered());
  const first = await post(0, "/receipts/use", "executor", { receipt });
  expect(first).toMatchObject({ status: 200, body: { usedAt: expect.any(Number), receipt: expect.any(String) } });
  expect(await post(1, "/receipts/use", "executor", { receipt })).toEqual(first);
  expect(await post(1, "/receipts/use", "other", { receipt })).toMatchObject({
    status: 409,
    body: { details: [{ reason: "used", usedBy: "receipt", usedAt: first.body.usedAt }] },
  });
});

test("finds the use again after the instance was killed between the commit and the reply", async () => {
  const id = await answered();
  const [, doomed] = copies as [Service, Service];
  const blocking = new pg.Client({ connectionString: urlOf(made.owner) });
  await blocking.connect();
  // Blocks only writes, so that the service reads the answer and then waits to record its use.
  await blocking.query("BEGIN; LOCK TABLE approval_use IN SHARE MODE");
  const lost = use(1, id, "survivor").catch((error: Error) => error);
  const rows = async (sql: string) => (await blocking.query(sql, [])).rows.length;
  await eventually(async () =>
    expect(await rows("SELECT FROM pg_locks WHERE NOT granted AND relation = 'approval_use'::regclass")).toBe(1),
  );
  doomed.child.kill("SIGSTOP");
  await blocking.query("COMMIT");
  await eventually(async () => expect(await rows(`SELECT FROM approval_use WHERE approval_id = '${id}'`)).toBe(1));
  await blocking.end();
  doomed.child.kill("SIGKILL");
  expect(await lost).toBeInstanceOf(Error);
  await doomed.ended;
  const again = await use(0, id, "survivor");
  expect(again).toMatchObject({ status: 200, body: { usedAt: expect.any(Number), receipt: expect.any(String) } });
  expect(await use(0, id, "late")).toMatchObject({ status: 409, body: { details: [{ reason: "used" }] } });
});
