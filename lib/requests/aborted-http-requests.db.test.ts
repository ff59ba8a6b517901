import http from "node:http";
import { promisify } from "node:util";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { pool } from "@/lib/database/db";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { statementsWith } from "@/lib/testing/spied-sql-statements";

const { ask, port, front } = await startFront();
afterEach(() => vi.restoreAllMocks());

/** Begins a request that the caller can abort. */
function begin(method: string, path: string, token: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const request = http.request({ port, host: "127.0.0.1", method, path, headers, agent: false });
  request.on("error", () => {}).end(body && JSON.stringify(body));
  return request;
}

test("skips a disconnected caller's reads but not writes", async () => {
  const { token, owner } = await anAppWith("approvals:write", "approvals:read");
  const { body } = await ask("POST", "/api/approvals", { token, body: aQuestion });
  const { id } = body as { id: string };
  const connect = pool().connect.bind(pool()) as (callback?: unknown) => Promise<pg.PoolClient>;
  const held: (() => void)[] = [];
  // Delays the batches' connections until the callers have disconnected.
  vi.spyOn(pool(), "connect").mockImplementation((async (callback?: unknown) => {
    if (!callback) await new Promise<void>((resolve) => held.push(resolve));
    return connect(callback);
  }) as never);
  const queries = vi.spyOn(pg.Client.prototype, "query");
  /** Returns the number of connections other than the one that the test uses. */
  const connections = async () => (await promisify(front.server.getConnections).call(front.server)) - 1;
  const leaving = [begin("GET", `/api/approvals/${id}`, token), begin("GET", "/api/approvals", token)];
  leaving.push(begin("POST", "/api/approvals", token, { ...aQuestion, question: "Is it made?" }));
  await expect.poll(() => held.length).toBeGreaterThanOrEqual(3);
  for (const request of leaving) request.destroy();
  await expect.poll(connections).toBe(0);
  vi.mocked(pool().connect).mockRestore();
  for (const go of held) go();
  const made = () =>
    pool().query("SELECT FROM approval WHERE owner_id = $1 AND question = 'Is it made?'", [owner.ownerId]);
  await expect.poll(async () => (await made()).rowCount).toBe(1);
  expect(statementsWith("AS found", queries)).toEqual([]);
  expect(statementsWith("string_agg", queries)).toEqual([]);
  expect(await ask("GET", `/api/approvals/${id}`, { token })).toMatchObject({ status: 200 });
  expect(statementsWith("AS found", queries)).toHaveLength(1);
});
