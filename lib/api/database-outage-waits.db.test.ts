import http from "node:http";
import { afterAll, expect, test } from "vitest";
import { closeDb, disconnect, pool } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { watchers } from "@/lib/events/watch-app-events";
import { migrate } from "@/lib/postgres/migrations";
import { start, stop } from "@/lib/postgres/postgres-server";
import { startFront } from "@/lib/testing/api-server";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { query, throwawayPostgres } from "@/lib/testing/temporary-postgres";

// This test uses its own Postgres server, which it stops.
const { instance, port: postgres, url, end } = await throwawayPostgres();
await migrate(url);
await disconnect();
configure({ DATABASE_URL: url });
const { ask, port } = await startFront();
const { token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");

afterAll(async () => {
  await closePubsub();
  await closeDb();
  await end();
});

async function submit(): Promise<string> {
  const { status, body } = await ask("POST", "/api/approvals", { token, body: aQuestion });
  expect(status).toBe(201);
  return (body as { id: string }).id;
}
const resolve = async (id: string) =>
  (await ask("POST", `/api/approvals/${id}/resolve`, { token, body: { kind: "option", optionId: "ship" } })).status;

/** Opens a stream that reconnects automatically, like EventSource. */
function listen() {
  const told: { type: string; data: { id: string } }[] = [];
  let last: string | undefined;
  let stopped = false;
  let request: http.ClientRequest;
  const connect = () => {
    if (stopped) return;
    request = http.request({
      port,
      path: "/api/events",
      headers: {
        authorization: `Bearer ${token}`,
        accept: "text/event-stream",
        ...(last && { "last-event-id": last }),
      },
    });
    let text = "";
    const again = () => setTimeout(connect, 100);
    request.on("error", again).end();
    request.on("response", (reply) => {
      reply.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          last = /^id: (.*)$/m.exec(block)?.[1] ?? last;
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (data) told.push(JSON.parse(data));
        }
      });
      reply.on("end", again);
    });
  };
  connect();
  const stop = () => {
    stopped = true;
    request.destroy();
  };
  return { told, stop };
}

test("delivers each event exactly once across a database restart", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 20; at++) ids.push(await submit());
  await expect
    .poll(async () => ((await ask("GET", "/api/events", { token })).body as { data: unknown[] }).data.length)
    .toBe(21);
  const waits = ids.map((id) => ask("GET", `/api/approvals/${id}?wait=60`, { token }));
  const streams = [listen(), listen(), listen()];
  await expect.poll(watchers).toBe(23);

  await stop(instance);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(watchers()).toBe(23);
  await start(instance, postgres);
  for (const id of ids) await expect.poll(() => resolve(id)).not.toBe(503);
  for (const [at, reply] of (await Promise.all(waits)).entries())
    expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ _id: ids[at], status: "resolved" })]);
  const resolved = ids.map((id) => `approval.resolved ${id}`);
  for (const { told } of streams)
    await expect.poll(() => told.map(({ type, data }) => `${type} ${data.id}`)).toEqual(resolved);
  for (const stream of streams) stream.stop();
  await expect.poll(watchers).toBe(0);
});

test("returns an answer despite a lost NOTIFY message", async () => {
  const id = await submit();
  const wait = ask("GET", `/api/approvals/${id}?wait=3`, { token });
  await expect.poll(watchers).toBe(1);
  // Acts like an instance that was killed between its commit and its NOTIFY.
  await query(
    url,
    `UPDATE approval SET status = 'resolved', resolved_at = now(),
       resolution = '{"kind":"option","optionId":"ship","resolvedBy":"owner","resolvedAt":1}' WHERE id = '${id}'`,
  );
  const reply = await wait;
  expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ status: "resolved" })]);
  expect(reply.headers.get("retry-after")).toBeNull();
});

test("returns 503 to a waiting GET request during a database outage", async () => {
  const id = await submit();
  const [read, made] = [
    ask("GET", `/api/approvals/${id}?wait=2`, { token }),
    ask("POST", "/api/approvals?wait=2", { token, body: aQuestion }),
  ];
  await expect.poll(watchers).toBe(2);
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM approval WHERE id > $1", [id]);
  await stop(instance);
  const [refused, created] = await Promise.all([read, made]);
  await start(instance, postgres);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect([created.status, created.headers.get("retry-after"), created.body]).toEqual([201, "1", { id: rows[0]?.id }]);
});
