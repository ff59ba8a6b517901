import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { databaseTimeouts } from "@/lib/database/database-timeouts";
import { closeDb, disconnect, pool } from "@/lib/database/db";
import { migrate } from "@/lib/postgres/migrations";
import { start, stop } from "@/lib/postgres/postgres-server";
import { batchMode } from "@/lib/requests/batched-statement";
import { startFront } from "@/lib/testing/api-server";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { realDatabaseTimeouts } from "@/lib/testing/real-database-timeouts";
import { aQuestion } from "@/lib/testing/sample-question";
import { throwawayPostgres } from "@/lib/testing/temporary-postgres";

// This test has its own Postgres, which it stops, blocks and fills.
const { instance, port, url, end } = await throwawayPostgres(["max_connections=15"]);
await migrate(url);
await realDatabaseTimeouts();
configure({ DATABASE_URL: url });
const { ask } = await startFront();
const { token } = await anAppWith("approvals:write", "approvals:read");

afterAll(async () => {
  await closeDb();
  await end();
});

const submit = () => ask("POST", "/api/approvals", { token, body: aQuestion });
const list = () => ask("GET", "/api/approvals?limit=200", { token });
const ids = async () => ((await list()).body as { data: { _id: string }[] }).data.map(({ _id }) => _id);

/** Asserts that a reply is the response that callers get during an outage. */
function expectUnavailable(reply: Awaited<ReturnType<typeof submit>>) {
  expect([reply.status, reply.body]).toEqual([503, { error: "Service unavailable" }]);
  expect(reply.headers.get("retry-after")).toBe("1");
  expect(reply.headers.get("access-control-allow-origin")).toBe("*");
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function another() {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}

test("reports the service as not ready until the database is reachable", async () => {
  await stop(instance);
  expectUnavailable(await ask("GET", "/readyz", {}));
  await start(instance, port);
});

test("returns 503 during a database outage without losing acknowledged writes", async () => {
  const acknowledged = (await Promise.all([submit(), submit(), submit()])).map(
    ({ body }) => (body as { id: string }).id,
  );
  expect((await ask("GET", "/readyz", {})).status).toBe(200);
  await stop(instance);
  for (const reply of await Promise.all([submit(), list(), submit(), list()])) expectUnavailable(reply);
  // The instance stays ready, because the database is down for every instance. Load balancers keep
  // sending requests, which get a 503.
  expect((await ask("GET", "/readyz", {})).status).toBe(200);
  for (const path of ["/readyz?strict", "/api/health"]) expectUnavailable(await ask("GET", path, {}));
  expect((await ask("GET", "/livez", {})).status).toBe(200);
  // Requests that need no database get their usual errors.
  expect((await ask("GET", "/api/approvals", {})).status).toBe(401);
  await start(instance, port);
  expect((await submit()).status).toBe(201);
  expect(await ids()).toEqual(expect.arrayContaining(acknowledged));
});

test("returns 503 when a statement on a locked table times out", async () => {
  const holder = await another();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE approval IN ACCESS EXCLUSIVE MODE");
  const replies = await Promise.all(Array.from({ length: 30 }, submit));
  await holder.query("ROLLBACK");
  await holder.end();
  for (const reply of replies) expectUnavailable(reply);
  expect((await submit()).status).toBe(201);
});

test("returns 503 when no database connection is free", async () => {
  const others: pg.Client[] = [];
  const takeAll = async (): Promise<void> => {
    for (;;) others.push(await another());
  };
  // Takes all free connections until the service gets none. This may need several rounds, because
  // connections close slowly, and the previous test's notifications may still arrive.
  let refused = await submit();
  for (let at = 0; refused.status !== 503 && at < 20; at++) {
    await disconnect();
    await takeAll().catch(() => pause(100));
    refused = await submit();
  }
  await Promise.all(others.map((client) => client.end()));
  expectUnavailable(refused);
  await expect.poll(async () => (await submit()).status).toBe(201);
});

test("rolls back an answer when a database error occurs", async () => {
  const { token: able } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const made = await ask("POST", "/api/approvals", { token: able, body: aQuestion });
  const path = made.headers.get("location") as string;
  const sql = await another();
  await sql.query(
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk' USING ERRCODE = 'disk_full'; END $$`,
  );
  await sql.query("CREATE TRIGGER fail BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION fail()");
  const resolve = () => ask("POST", `${path}/resolve`, { token: able, body: { kind: "option", optionId: "ship" } });
  expectUnavailable(await resolve());
  expect((await ask("GET", path, { token: able })).body).toMatchObject({ status: "pending" });
  await sql.query("DROP TRIGGER fail ON event");
  await sql.end();
  expect((await resolve()).status).toBe(200);
});

test("serves requests for other tables while one table is locked", async () => {
  const able = await anAppWith("approvals:write", "approvals:read", "notifications:write");
  const push = () =>
    ask("POST", "/api/notifications", { token: able.token, body: { title: "Built", body: "418", type: "build.done" } });
  const { max = 0 } = pool().options;
  const { appAcquireTimeoutMs, statement } = databaseTimeouts();
  expect(appAcquireTimeoutMs + statement).toBeLessThanOrEqual(3500);
  // Opens as many connections as a busy service would.
  batchMode.are = "of one";
  for (let at = 0; at < 20 && pool().totalCount < max; at++)
    await Promise.all(Array.from({ length: max }, (_, nth) => (nth % 2 ? push() : submit())));
  batchMode.are = "as they come";
  expect(pool().totalCount).toBe(max);
  const holder = await another();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE approval IN ACCESS EXCLUSIVE MODE");
  let over = false;
  // Apps keep calling every route that needs the locked table.
  const asking = [submit, list, submit, list, submit].flatMap((way) =>
    Array.from({ length: 4 }, async () => {
      const replies = [];
      while (!over) replies.push(await way());
      return replies;
    }),
  );
  const others: number[] = [];
  let maxSeen = 0;
  for (const giveUp = Date.now() + 7_000; Date.now() < giveUp; ) {
    others.push((await push()).status, (await ask("GET", "/api/health", {})).status);
    maxSeen = Math.max(maxSeen, pool().totalCount - pool().idleCount);
    await pause(50);
  }
  over = true;
  const refused = (await Promise.all(asking)).flat();
  await holder.query("ROLLBACK");
  await holder.end();
  for (const reply of refused) expectUnavailable(reply);
  expect(others.filter((status) => status >= 300)).toEqual([]);
  expect(maxSeen).toBeLessThan(max);
  // After the lock is released, this type of work gets its full share of the connections again.
  await expect
    .poll(async () => Math.max(...(await Promise.all(Array.from({ length: 30 }, submit))).map((it) => it.status)))
    .toBe(201);
});
