import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { onTokenEnd } from "@/lib/access/token-watcher";
import type { AppActor } from "@/lib/actor";
import { startAlerts } from "@/lib/alerts/alert-loop";
import { dueChores, intervalChores, onDueChores } from "@/lib/cli/background-chores";
import { onEachShard } from "@/lib/database/shards/each-shard";
import { inEveryShard } from "@/lib/database/shards/marks";
import { probeNotify, publish } from "@/lib/events/pubsub";
import { watch } from "@/lib/events/watch-app-events";
import { aHookedApp, ask, sendingTo } from "@/lib/testing/app-with-webhook";
import { anAppWith } from "@/lib/testing/factories";
import { collectStatementProblems, guardProduct } from "@/lib/testing/guard-statements";
import { statementsWith } from "@/lib/testing/spied-sql-statements";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { flushDeniedRequests, recordDeniedRequest } from "@/lib/traffic/denied-requests";
import { countFrozenRequest, flushFrozenRequests } from "@/lib/traffic/frozen-requests";
import { flushUsage, recordUsage } from "@/lib/traffic/last-use";
import { flushRequests, noteRequest } from "@/lib/traffic/request-log";
import { startWebhooks } from "@/lib/webhooks/dispatcher";
import { ofDatabase } from "./gauges";

/*
 * Work for all owners has a mark where it starts, so that every statement has a destination
 * (lib/database/shards/marks.ts). Every test starts such work, for owners with different homes.
 */

afterEach(() => {
  vi.restoreAllMocks();
  guardProduct();
});

const owners = () => Promise.all([1, 2, 3].map(() => anAppWith("approvals:write")));

test("marks every chore", async () => {
  for (const { app } of await owners()) await ask(app);
  const problems = collectStatementProblems();
  const due = await inEveryShard(dueChores);
  expect(due[0]).toHaveLength(onDueChores.length);
  for (const { run } of [...onDueChores, ...intervalChores])
    await inEveryShard(() => run(new AbortController().signal));
  expect(problems).toEqual([]);
});

test("marks webhooks", async () => {
  const receiver = await aReceiver();
  sendingTo([receiver.origin]);
  const { owner } = await anAppWith("approvals:write");
  const hooked = await aHookedApp(receiver.origin, { owner: { ...owner, session: "s" } });
  const problems = collectStatementProblems();
  const stop = onEachShard(startWebhooks);
  await hooked.ask();
  await expect.poll(() => receiver.got.length).toBeGreaterThan(0);
  await stop();
  await receiver.close();
  expect(problems).toEqual([]);
});

test("marks alerts, token checks and event checks", async () => {
  const some = await owners();
  const sent = vi.spyOn(pg.Client.prototype, "query");
  const problems = collectStatementProblems();
  const stop = onEachShard(startAlerts);
  const ends = some.flatMap(({ owner, app, clientId }) => [
    onTokenEnd(app.tokenHash, () => {}),
    watch(owner.ownerId, clientId, { ordered: false, onEvent: () => {}, onReady: () => {} }),
  ]);
  for (const { owner } of some) publish(owner.ownerId);
  for (const part of ["FROM alert_cursor w", "AS shown(hash)", "event_horizon()", "pg_notify("])
    await expect.poll(() => statementsWith(part, sent).length).toBeGreaterThan(0);
  await probeNotify();
  await stop();
  for (const end of ends) end();
  expect(problems).toEqual([]);
});

test("marks the traffic of several owners", async () => {
  const some = await owners();
  const problems = collectStatementProblems();
  for (const { owner, app, clientId } of some) {
    const admitted: AppActor = { ...app, admitted: { ownerId: owner.ownerId, appId: clientId, grantId: "grt_none" } };
    recordUsage("grt_none", "approvals:write", app.tokenHash);
    recordDeniedRequest({ ...app, needs: "approvals:read" }, 403, "listApprovals");
    countFrozenRequest(admitted, "submitApproval");
    const request = { operation: "listApprovals", method: "GET", path: "/api/approvals", status: 403, ms: 1 };
    noteRequest(app, { ...request, id: `${clientId}-1`, warnings: [], at: Date.now() });
    noteRequest(admitted, { ...request, id: `${clientId}-2`, warnings: [], at: Date.now() });
  }
  await Promise.all([flushUsage(), flushDeniedRequests(), flushFrozenRequests(), flushRequests()]);
  expect(problems).toEqual([]);
});

test("marks the database's gauges", async () => {
  const problems = collectStatementProblems();
  for (const gauge of ofDatabase) await gauge.read();
  expect(problems).toEqual([]);
});
