import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { closeDb, db, pool } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { freePort } from "@/lib/net/free-port";
import { configureDatabase } from "@/lib/testing/configure-database";
import { anAppWith } from "@/lib/testing/factories";
import { ownDatabase } from "@/lib/testing/own-database";
import { aQuestion } from "@/lib/testing/sample-question";
import { type Service, startService } from "@/lib/testing/service-process";
import { everyApp, freeze, unfreeze } from "./freeze";

let postgres: Awaited<ReturnType<typeof ownDatabase>>;
let copies: Service[] = [];
let urls: string[] = [];
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
});
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  await closePubsub();
  await closeDb();
  await postgres?.end();
});

const ship = { kind: "option", optionId: "ship" } as const;
const content = { contentHash: contentHash(aQuestion) };

test("resolves, uses and defaults nothing on two instances after a freeze at 200 requests per second", async () => {
  const { app, owner, token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const { ownerId } = owner;
  const ask = async () => (await submitApproval(app, aQuestion)).id;
  const [pending, answered] = [[] as string[], [] as string[]];
  for (let nth = 0; nth < 150; nth++) pending.push(await ask());
  for (let nth = 0; nth < 150; nth++) {
    const id = await ask();
    await resolveApproval(owner, id, ship, content);
    answered.push(id);
  }
  const { id: defaulted } = await submitApproval(app, {
    ...aQuestion,
    expiresAt: Date.now() + 3_600_000,
    defaultOptionId: "wait",
  });

  const wins = new Set<string>();
  let underWay = () => {};
  const load = new Promise<void>((resolve) => (underWay = resolve));
  const call = async (nth: number, path: string, body: object) => {
    const sentAt = performance.now();
    const reply = await fetch(`${urls[nth % 2]}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "idempotency-key": `request ${nth}`,
      },
      body: JSON.stringify(body),
    });
    const { details } = (await reply.json()) as { details?: { reason?: string }[] };
    if (reply.status === 200 && wins.add(path.slice(path.lastIndexOf("/"))).size === 2) underWay();
    return { path, sentAt, status: reply.status, reason: details?.[0]?.reason };
  };
  /** Sends one request: half of them submit, as do all others once the approvals run out. */
  const send = (nth: number) => {
    const id = [pending, answered][nth % 4]?.pop();
    if (id === undefined) return call(nth, "/api/approvals", aQuestion);
    return nth % 4 === 0
      ? call(nth, `/api/approvals/${id}/resolve`, ship)
      : call(nth, `/api/approvals/${id}/use`, content);
  };
  const sent: ReturnType<typeof call>[] = [];
  let frozenAt = Number.POSITIVE_INFINITY;
  // Freezes shortly before the default, once an approval was resolved and an answer was used.
  const freezing = load.then(async () => {
    const { rows } = await pool().query<{ due_at: Date }>(
      "UPDATE approval SET due_at = now() + interval '1500 milliseconds' WHERE id = $1 RETURNING due_at",
      [defaulted],
    );
    await freeze({ ownerId }, { appId: everyApp, by: "owner" });
    frozenAt = performance.now();
    return { dueAt: rows[0]?.due_at.getTime() ?? 0, ...(await counts()) };
  });
  const counts = async () => ({
    resolved: await db.approval.count({ where: { ownerId, status: "resolved" } }),
    used: (await pool().query("SELECT FROM approval_use WHERE owner_id = $1", [ownerId])).rowCount,
  });
  const start = performance.now();
  // Sends until enough requests follow the freeze, however long the freeze takes.
  for (let nth = 0, after = 0; after < 300 && nth < 20_000; nth++) {
    await delay(Math.max(0, start + nth * 5 - performance.now()));
    if (performance.now() > frozenAt) after++;
    sent.push(send(nth));
  }
  const { dueAt: dueAtFreeze, ...atFreeze } = await freezing;
  const replies = await Promise.all(sent);
  const late = replies.filter(({ sentAt }) => sentAt > frozenAt);
  expect(late.length).toBeGreaterThanOrEqual(300);
  expect(new Set(late.map(({ status, reason }) => `${status} ${reason}`))).toEqual(new Set(["403 frozen"]));
  const won = (part: string) => replies.filter(({ path, status }) => path.endsWith(part) && status === 200).length;
  expect(await counts()).toEqual(atFreeze);
  expect(atFreeze).toEqual({ resolved: 150 + won("/resolve"), used: won("/use") });

  await unfreeze({ ownerId }, everyApp);
  const { data } = await db.event.findFirstOrThrow({ where: { ownerId, type: "owner.unfrozen", appId: null } });
  const { frozenMs } = data as { frozenMs: number };
  const { status, dueAt } = await db.approval.findUniqueOrThrow({ where: { id: defaulted } });
  expect([status, dueAt?.getTime()]).toEqual(["pending", dueAtFreeze + frozenMs]);
});
