import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start, stop } from "@/lib/postgres/postgres-server";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { obeyed } from "@/lib/testing/operator-command";
import { ownServer } from "@/lib/testing/own-database";
import { type Service, startService } from "@/lib/testing/service-process";
import { query } from "@/lib/testing/temporary-postgres";

// Runs two instances on one database, while the database restarts and after one instance has ended.
// Each test continues from the previous test's state.
let postgres: Awaited<ReturnType<typeof ownServer>>;
let [here, there]: [Service, Service] = [] as never;
let token: string;
const folders = [newDataDir(0o700), newDataDir(0o700)] as const;
const [email, secret] = ["olive@example.com", "one-for-both-copies-0123456789abcdef0123456789ab"];
const question = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };

beforeAll(async () => {
  postgres = await ownServer();
  const environment = { DATABASE_URL: postgres.url, SECRET: secret };
  // During the outage, another server uses the database's port. It disconnects its first client and
  // then stops.
  await stop(postgres.instance);
  const door = createServer((socket) => {
    socket.destroy();
    door.close();
  }).listen(postgres.port, "127.0.0.1");
  const starting = startService({ ...environment, DATA_DIR: folders[0] });
  await once(door, "close");
  await start(postgres.instance, postgres.port);
  here = await starting;
  there = await startService({ ...environment, DATA_DIR: folders[1], METRICS_PORT: "0" });
  const run = async (args: string[], input = "") =>
    (await obeyed({ ...environment, DATA_DIR: folders[0] }, args, input)).json();
  await run(["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], "a password of some length");
  const { clientId } = await run(["app", "create", "--owner", email, "--name", "Courier"]);
  const scopes = ["write", "read", "resolve"].flatMap((name) => ["--scope", `approvals:${name}`]);
  token = String((await run(["token", "create", "--owner", email, "--app", String(clientId), ...scopes])).token);
});

afterAll(async () => {
  await Promise.all([here?.stop(), there?.stop()]);
  await postgres?.end();
  for (const folder of folders) removeDataDir(folder);
});

const call = (copy: Service, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`${copy.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const submit = async (copy: Service) =>
  ((await (await call(copy, "POST", "/api/approvals", question)).json()) as { id: string }).id;
const resolve = async (copy: Service, id: string) =>
  (await call(copy, "POST", `/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" })).status;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Waits until the second instance has this many waiting requests. */
const waiting = (count: number) =>
  expect
    .poll(async () => {
      const metrics = /^Metrics are at (\S+)$/m.exec(there.output())?.[1] ?? "";
      return (await fetch(metrics)).text();
    })
    .toMatch(new RegExp(`^countersign_held_requests\\{[^}]*kind="wait"[^}]*\\} ${count}$`, "m"));

/** Opens a stream and collects everything received on it. */
async function listen(copy: Service, last?: string) {
  const headers = { accept: "text/event-stream", ...(last && { "last-event-id": last }) };
  const reply = await call(copy, "GET", "/api/events", undefined, headers);
  expect(reply.status).toBe(200);
  const it = { said: "", ended: false };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) it.said += decoder.decode(piece);
  })()
    .catch(() => {})
    .finally(() => {
      it.ended = true;
    });
  await expect.poll(() => it.said).toContain("retry: ");
  return it;
}
const lastId = (said: string) => [...said.matchAll(/^id: (evt_\w+)$/gm)].at(-1)?.[1];

test("waits for the database at startup", () => {
  expect(here.output()).toMatch(/^Waiting up to 30 s for the database at DATABASE_URL: .+$/m);
  expect(there.output()).not.toContain("Waiting");
});

test("delivers an answer immediately to clients of another instance", async () => {
  const id = await submit(here);
  const stream = await listen(there);
  const waits = [1, 2, 3].map(() => call(there, "GET", `/api/approvals/${id}?wait=60`));
  await waiting(3);
  expect(await resolve(here, id)).toBe(200);
  for (const reply of await Promise.all(waits)) expect(await reply.json()).toMatchObject({ status: "resolved" });
  await expect.poll(() => stream.said).toContain(`"id":"${id}","resolution"`);
  const asked = call(there, "POST", "/api/approvals?wait=60", question, { "idempotency-key": "once" });
  const newest = async () =>
    ((await (await call(here, "GET", "/api/approvals?limit=1")).json()) as { data: { _id: string }[] }).data[0]?._id;
  await expect.poll(newest).not.toBe(id);
  const second = (await newest()) as string;
  expect(await resolve(here, second)).toBe(200);
  const reply = await asked;
  expect([reply.status, await reply.json()]).toEqual([
    201,
    expect.objectContaining({ id: second, status: "resolved" }),
  ]);
});

test("loses no events during a database restart", async () => {
  const [id, other] = [await submit(here), await submit(here)];
  const stream = await listen(there);
  const waits = [id, other].map((each) => call(there, "GET", `/api/approvals/${each}?wait=60`));
  await waiting(2);
  await stop(postgres.instance);
  await pause(1_000);
  await start(postgres.instance, postgres.port);
  for (const each of [id, other]) await expect.poll(() => resolve(here, each)).not.toBe(503);
  for (const reply of await Promise.all(waits)) expect(await reply.json()).toMatchObject({ status: "resolved" });
  // After the disconnection, the client has resumed at its last position and has received each
  // event once.
  for (const each of [id, other])
    await expect.poll(() => stream.said.split(`"id":"${each}","resolution"`).length).toBe(2);
  expect(stream.ended).toBe(false);
});

test("rejects the next request on another instance after the operator freezes the owner's apps", async () => {
  const id = await submit(here);
  const stream = await listen(there);
  const waits = [1, 2].map(() => call(there, "GET", `/api/approvals/${id}?wait=60`));
  await waiting(2);
  const environment = { DATABASE_URL: postgres.url, SECRET: secret, DATA_DIR: folders[0] };
  expect((await obeyed(environment, ["owner", "freeze", email])).json()).toMatchObject({ frozen: true });
  const reason = expect.objectContaining({ reason: "frozen" });
  for (const copy of [there, here]) {
    const reply = await call(copy, "GET", `/api/approvals/${id}`);
    expect([reply.status, await reply.json()]).toEqual([403, { error: "Forbidden", details: [reason] }]);
  }
  expect([await resolve(there, id), await resolve(here, id)]).toEqual([403, 403]);
  for (const reply of await Promise.all(waits))
    expect([reply.status, await reply.json()]).toEqual([403, { error: "Forbidden", details: [reason] }]);
  await expect.poll(() => stream.ended).toBe(true);
  expect(stream.said).toMatch(/event: closed\ndata: .*"reason":"frozen".*\n\n$/);
  // The owner ends a freeze on a page, after a sign-in.
  for (const change of [
    "DELETE FROM app_freeze",
    "UPDATE app_grant SET frozen_at = NULL",
    "UPDATE approval SET frozen_at = NULL WHERE frozen_at IS NOT NULL",
  ])
    for (const url of postgres.urls) await query(url, change);
});

test("lets waiting and streaming clients resume on another instance after SIGTERM", async () => {
  const id = await submit(here);
  const stream = await listen(there);
  const waits = [1, 2, 3].map(() => call(there, "GET", `/api/approvals/${id}?wait=60`));
  const events = call(there, "GET", `/api/events?wait=60&after=${lastId(stream.said)}`);
  await waiting(4);
  there.child.kill("SIGTERM");
  for (const reply of await Promise.all(waits)) {
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([200, "1"]);
    expect(await reply.json()).toMatchObject({ _id: id, status: "pending" });
  }
  expect((await events).headers.get("retry-after")).toBe("1");
  const { data } = (await (await events).json()) as { data: unknown[] };
  expect(data).toEqual([]);
  await expect.poll(() => stream.ended).toBe(true);
  expect(await there.ended).toBe(0);
  expect(there.output()).toMatch(/Stopped\n$/);

  expect(await resolve(here, id)).toBe(200);
  const again = await listen(here, lastId(stream.said));
  await expect.poll(() => again.said).toContain(`"id":"${id}","resolution"`);
});
