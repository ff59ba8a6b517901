import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pool } from "@/lib/database/db";
import { log } from "@/lib/log";
import { startFront } from "@/lib/testing/api-server";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";

const { ask } = await startFront();

let written: string;
beforeEach(() => {
  written = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());
const lines = (message: string) =>
  written
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line.message === message);

/** Makes statements with this name fail. */
function fail(name: string, error: Error) {
  const { query } = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    if (!(args[0] as { name?: string }).name?.startsWith(name)) return query.apply(this, args) as never;
    const told = args.find((it) => typeof it === "function");
    return (told ? told(error) : Promise.reject(error)) as never;
  });
}

test("logs a failed request with its ID, route and app", async () => {
  const { token, clientId, owner } = await anAppWith("approvals:write", "approvals:read");
  fail("", new Error("something of ours"));
  const headers = { "x-request-id": "theirs-1", traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01` };
  const reply = await ask("POST", "/api/approvals?secret=1", { token, body: aQuestion, headers });
  expect(reply.status).toBe(500);
  const [line] = lines("a request failed");
  expect(line).toMatchObject({
    requestId: reply.headers.get("x-request-id"),
    route: "POST /api/approvals",
    ms: expect.any(Number),
    callerRequestId: "theirs-1",
    traceId: "ab".repeat(16),
    error: expect.stringContaining("something of ours"),
  });
  expect(reply.headers.get("x-request-id")).toMatch(/^req_/);
  expect(JSON.stringify(line)).not.toContain(token);

  vi.mocked(pg.Client.prototype.query).mockRestore();
  await pool().query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'half-way'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION fail()`);
  const keyed = await ask("POST", "/api/approvals", { token, body: aQuestion, headers: { "idempotency-key": "k" } });
  await pool().query("DROP TRIGGER fail ON event; DROP FUNCTION fail()");
  expect(keyed.status).toBe(500);
  const requestId = keyed.headers.get("x-request-id");
  expect(lines("a request failed")[1]).toMatchObject({
    requestId,
    app: clientId,
    owner: owner.ownerId,
    error: expect.stringContaining("half-way"),
  });
});

test("logs a unique ID instead of the caller's unsafe request ID", async () => {
  const { token } = await anAppWith("approvals:read");
  fail("", new Error("something of ours"));
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      ask("GET", `/api/approvals/${at}`, { token, headers: { "x-request-id": `a "quoted" ${at}`, traceparent: "no" } }),
    ),
  );
  const ids = all.map(({ headers }) => headers.get("x-request-id"));
  const told = lines("a request failed");
  expect(told.map(({ requestId }) => requestId).sort()).toEqual(ids.sort());
  for (const line of told) {
    expect(line.route).toBe("GET /api/approvals/{id}");
    expect(line).not.toHaveProperty("callerRequestId");
    expect(line).not.toHaveProperty("traceId");
  }
});

test("logs a database outage at most once a second", async () => {
  const { token } = await anAppWith("approvals:read");
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const failing = async (count: number, error: Error) => {
    fail("", error);
    const replies = await Promise.all(Array.from({ length: count }, () => ask("GET", "/api/approvals", { token })));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503));
    vi.mocked(pg.Client.prototype.query).mockRestore();
  };
  const coded = (code: string) => Object.assign(new Error("said by the database"), { code });
  await failing(30, coded("53300"));
  await failing(12, coded("57014"));
  expect(lines("the database is unavailable")).toEqual([
    expect.objectContaining({ level: "warn", count: 1, causes: { "too many connections": 1 } }),
  ]);
  vi.advanceTimersByTime(1000);
  expect(lines("the database is unavailable")[1]).toMatchObject({
    count: 41,
    causes: { "too many connections": 29, "slow statement or lock wait": 12 },
    reason: "said by the database",
  });
  await failing(1, new Error("connect ECONNREFUSED 127.0.0.1:1"));
  vi.advanceTimersByTime(1000);
  expect(lines("the database is unavailable")[2]).toMatchObject({ count: 1, causes: { unreachable: 1 } });
  vi.advanceTimersByTime(5000);
  expect(lines("the database is available again")).toEqual([expect.objectContaining({ failed: 43 })]);
  vi.advanceTimersByTime(60_000);
  expect(lines("the database is unavailable").length).toBe(3);
  vi.useRealTimers();
});

test("logs each request without secrets if ACCESS_LOG is on", async () => {
  const { token, clientId, owner } = await anAppWith("approvals:write", "approvals:read");
  await ask("GET", "/api/approvals", { token });
  configure({ ACCESS_LOG: "on" });
  const { ask: askLogged } = await startFront();
  configure({ ACCESS_LOG: undefined });
  const asked = await askLogged("POST", "/api/approvals", { token, body: aQuestion });
  const { id } = asked.body as { id: string };
  await askLogged("GET", `/api/approvals/${id}?secret=hush`, {
    token,
    headers: { traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-00` },
  });
  await askLogged("GET", "/consent/hush?token=hush", {});
  await askLogged("GET", `/api/approvals/${token}`, {});
  await expect.poll(() => lines("request").length).toBe(4);
  const common = {
    level: "info",
    address: "127.0.0.1",
    ms: expect.any(Number),
    requestId: expect.stringMatching(/^req_/),
  };
  const [posted, got, page, pasted] = lines("request");
  const whose = { app: clientId, owner: owner.ownerId };
  expect(posted).toMatchObject({
    ...common,
    ...whose,
    route: "POST /api/approvals",
    status: 201,
    path: "/api/approvals",
  });
  expect(posted?.requestId).toBe(asked.headers.get("x-request-id"));
  expect(got).toMatchObject({ ...common, status: 400, path: `/api/approvals/${id}`, traceId: "ab".repeat(16) });
  expect(page).toMatchObject({ ...common, route: "GET /consent/…", status: 404 });
  expect(page).not.toHaveProperty("path");
  expect(pasted).toMatchObject({ ...common, status: 401, path: "/api/approvals/csn_[redacted]" });
  expect(written).not.toContain("hush");
});

test("logs no messages below LOG_LEVEL", async () => {
  const say = () => {
    log.info("one");
    log.warn("two");
    log.error("three");
  };
  const said = (level: string) => {
    written = "";
    configure({ LOG_LEVEL: level });
    say();
    configure({ LOG_LEVEL: undefined });
    return ["one", "two", "three"].filter((message) => lines(message).length > 0);
  };
  expect(said("")).toEqual(["one", "two", "three"]);
  expect(said("info")).toEqual(["one", "two", "three"]);
  expect(said("warn")).toEqual(["two", "three"]);
  expect(said("error")).toEqual(["three"]);
});
