import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { searchApprovals } from "@/lib/approvals/search";
import { env } from "@/lib/config/env";
import { disconnect } from "@/lib/database/db";
import { shards } from "@/lib/database/shards/shard-map";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { testShards } from "@/lib/testing/shards/shard-count";

/*
 * A request of one owner causes the same work with one database and with several shards: the same
 * number of statements, which read no more rows and blocks. `npm test` runs this test with one
 * database, and `npm run test:shards` with two and four shards.
 */

const { ask } = await startFront();
const clients = await Promise.all(
  shards().map(async ({ url = env().databaseUrl }) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  }),
);
afterAll(() => Promise.all(clients.map((client) => client.end())));

const sent = vi.spyOn(pg.Client.prototype, "query");
afterAll(() => sent.mockRestore());

const work = `
  SELECT
    (SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables)::int AS rows,
    (
      SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))
      FROM pg_statio_user_tables
    )::int AS blocks`;

const connected = async (pids?: number[]) => {
  const text = `
    SELECT pid
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND application_name LIKE 'countersign%' AND application_name <> 'countersign listen'
      AND ($1::int[] IS NULL OR pid = ANY ($1))`;
  const found = await Promise.all(clients.map((client) => client.query<{ pid: number }>(text, [pids ?? null])));
  return found.flatMap(({ rows }) => rows.map(({ pid }) => pid));
};

/** Returns the rows and blocks that all statements have read until now, in each database. */
async function readUntilNow(): Promise<{ rows: number; blocks: number }[]> {
  // A connection reports its work when it has closed.
  const pids = await connected();
  await disconnect();
  await expect.poll(() => connected(pids)).toEqual([]);
  return Promise.all(clients.map(async (client) => (await client.query(work)).rows[0]));
}

/** Statements that new connections send, and those that notify other instances in batches. */
const isNotOfRequest = /^SET statement_timeout|\bpg_notify\b/;
const statementsSince = (start: number) =>
  sent.mock.calls
    .slice(start)
    .map(([query]) => (typeof query === "string" ? query : (query as { text: string }).text))
    .filter((text) => !isNotOfRequest.test(text)).length;

type Party = Awaited<ReturnType<typeof anAppWith>>;
const repeats = 10;

/** Measures a request of several owners, one request at a time. @returns the work of one request */
async function perRequest(parties: Party[], request: (party: Party, turn: number) => Promise<unknown>) {
  // The first request reads what the service then keeps in memory for each shard.
  for (const party of parties) await request(party, 0);
  const before = await readUntilNow();
  const each: number[] = [];
  for (const party of parties)
    for (let turn = 1; turn <= repeats; turn++) {
      const start = sent.mock.calls.length;
      await request(party, turn);
      each.push(statementsSince(start));
    }
  const after = await readUntilNow();
  const count = parties.length * repeats;
  // A few requests coincide with statements of timers, or read events again that are being written.
  const statements = each.sort((a, b) => a - b)[Math.floor(count / 2)];
  const sum = (of: "rows" | "blocks") => after.reduce((total, now, at) => total + now[of] - before[at]![of], 0) / count;
  return { statements, rows: sum("rows"), blocks: sum("blocks") };
}

/** The statements of each request, with any number of shards. */
const statements = {
  ask: 1,
  "read a question": 1,
  "list questions": 1,
  inbox: 2,
  answer: 3,
  "read events": 1,
};
/** About half as many again as with one database. */
const most = {
  ask: { rows: 40, blocks: 70 },
  "read a question": { rows: 30, blocks: 50 },
  "list questions": { rows: 60, blocks: 100 },
  inbox: { rows: 500, blocks: 900 },
  answer: { rows: 60, blocks: 250 },
  "read events": { rows: 200, blocks: 400 },
};

test("costs as many statements, rows and blocks per request with any number of shards", async () => {
  const parties = await Promise.all(
    Array.from({ length: 8 }, () => anAppWith("approvals:write", "approvals:read", "notifications:write")),
  );
  const asked = new Map<Party, string[]>(parties.map((party) => [party, []]));
  const submit = async (party: Party) => {
    const { body, status } = await ask("POST", "/api/approvals", { token: party.token, body: aQuestion });
    expect(status).toBe(201);
    asked.get(party)?.push((body as { id: string }).id);
  };
  const idOf = (party: Party, turn: number) => asked.get(party)?.[turn] ?? "";
  const get = (path: string) => async (party: Party, turn: number) => {
    const { status } = await ask("GET", path.replace("ID", idOf(party, turn)), { token: party.token });
    expect(status).toBe(200);
  };
  const ship = { kind: "option", optionId: "ship" } as const;
  const table = {
    ask: await perRequest(parties, submit),
    "read a question": await perRequest(parties, get("/api/approvals/ID")),
    "list questions": await perRequest(parties, get("/api/approvals?limit=10")),
    inbox: await perRequest(parties, ({ owner }) => searchApprovals(owner, { list: "waiting" })),
    answer: await perRequest(parties, (party, turn) => answerApproval(party.owner, idOf(party, turn), ship)),
    "read events": await perRequest(parties, get("/api/events")),
  };
  const columns = (of: "statements" | "rows" | "blocks") =>
    Object.fromEntries(Object.entries(table).map(([name, request]) => [name, request[of]]));
  expect(columns("statements")).toEqual(statements);
  for (const [name, { rows, blocks }] of Object.entries(table)) {
    expect(rows, `rows of: ${name}`).toBeLessThan(most[name as keyof typeof most].rows);
    expect(blocks, `blocks of: ${name}`).toBeLessThan(most[name as keyof typeof most].blocks);
  }
  if (process.env.PRINT_WORK) console.log(testShards, JSON.stringify(table));
});
