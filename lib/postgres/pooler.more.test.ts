import { readFileSync } from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { obeyed } from "@/lib/testing/operator-command";
import { findPgBouncer, noPgBouncer, startPgBouncer } from "@/lib/testing/pgbouncer";
import { type Service, startService } from "@/lib/testing/service-process";
import { inDatabase, query, type Throwaway, throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { checkDatabase } from "./connection-check";
import { withClient } from "./with-client";

// Runs two instances with PgBouncer in transaction mode. PgBouncer has fewer connections to
// PostgreSQL than the instances have to PgBouncer.
const program = findPgBouncer();
const few = 4;
const page = readFileSync("docs/operations.md", "utf8");
const [, section = ""] = /^\[pgbouncer\]\n([\s\S]*?)^```/m.exec(page) ?? [];
/** The documented settings, without PgBouncer's address and users. */
const documented = Object.fromEntries(
  [...section.matchAll(/^(\w+) = (.+)$/gm)]
    .map(([, name, value]) => [name, value])
    .filter(([name]) => !/^(listen|auth)_/.test(name ?? "")),
) as Record<string, string>;
const ends: (() => unknown)[] = [];
let postgres: Throwaway;
let direct: string;

beforeAll(async () => {
  if (!program) return;
  postgres = await throwawayPostgres();
  ends.push(postgres.end);
  await query(postgres.url, "CREATE ROLE countersign_plain LOGIN PASSWORD 'through'");
  for (const [statement] of page.matchAll(/^ALTER ROLE countersign SET \w+_timeout.*;$/gm))
    await query(postgres.url, statement.replace("countersign", "countersign_plain"));
  await query(postgres.url, "CREATE DATABASE pooled OWNER countersign_plain");
  const address = new URL(inDatabase(postgres.url, "pooled"));
  Object.assign(address, { username: "countersign_plain", password: "through" });
  direct = address.href;
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Starts PgBouncer in front of the database. */
async function pooler(settings: Record<string, string | number> = {}) {
  const it = await startPgBouncer(program ?? "", direct, { default_pool_size: few, ...documented, ...settings });
  ends.push(it.end);
  return it;
}

test("reports a missing direct address and missing PgBouncer settings", async ({ skip }) => {
  skip(!program, noPgBouncer);
  const { url: transaction } = await pooler();
  const url = { DATABASE_URL: transaction };
  await expect(checkDatabase(url)).rejects.toThrow(/\. Set DATABASE_DIRECT_URL to PostgreSQL's own address/);
  await expect(checkDatabase({ ...url, DATABASE_DIRECT_URL: transaction })).rejects.toThrow(/does not arrive through/);
  expect(await checkDatabase({ ...url, DATABASE_DIRECT_URL: direct })).toEqual([]);
  const forgetful = await pooler({ max_prepared_statements: 0 });
  const without = checkDatabase({ DATABASE_URL: forgetful.url, DATABASE_DIRECT_URL: direct });
  await expect(without).rejects.toThrow(/does not support prepared statements/);
  const session = await pooler({ pool_mode: "session", max_prepared_statements: 0 });
  expect(await checkDatabase({ DATABASE_URL: session.url })).toEqual([]);
});

test("immediately notifies another instance of a change through a pooler", async ({ skip }) => {
  skip(!program, noPgBouncer);
  const folder = newDataDir(0o700);
  ends.push(() => removeDataDir(folder));
  const bouncer = await pooler();
  const given = {
    DATABASE_URL: bouncer.url,
    DATABASE_DIRECT_URL: direct,
    SECRET: "one-for-both-copies-0123456789abcdef0123456789ab",
    DATA_DIR: folder,
    RATE_LIMIT: "0",
    MAX_PENDING: "0",
  };
  const copies: Service[] = [];
  ends.push(async () => void (await Promise.all(copies.map(({ stop }) => stop()))));
  copies.push(await startService(given), await startService(given));
  const [here, there] = copies as [Service, Service];
  const run = async (args: string[], input = "") => (await obeyed(given, args, input)).json();
  const email = "olive@example.com";
  await run(["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], "a password of some length");
  const clientId = String((await run(["app", "create", "--owner", email, "--name", "Courier"])).clientId);
  const scopes = ["write", "read", "resolve"].flatMap((name) => ["--scope", `approvals:${name}`]);
  const token = String((await run(["token", "create", "--owner", email, "--app", clientId, ...scopes])).token);
  const call = (copy: Service, path: string, body?: object) =>
    fetch(`${copy.url}${path}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  const question = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };

  // Each instance prepares statements on its connections to PgBouncer, which aren't tied to
  // connections to PostgreSQL.
  const asked = await Promise.all(
    Array.from({ length: 200 }, (_, nth) => call(nth % 2 ? here : there, "/api/approvals", question)),
  );
  expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 201));
  const ids = await Promise.all(asked.map(async (reply) => ((await reply.json()) as { id: string }).id));

  const reply = await fetch(`${there.url}/api/events`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
  });
  let heard = "";
  void (async () => {
    const decoder = new TextDecoder();
    for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) heard += decoder.decode(piece);
  })().catch(() => {});
  await expect.poll(() => heard).toContain("retry: ");
  // A listener that only polls would find these answers only after up to 20 seconds.
  for (const id of ids.slice(0, 8)) {
    const answer = await call(here, `/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
    expect(answer.status).toBe(200);
    await expect.poll(() => heard).toContain(`"id":"${id}","resolution"`);
  }

  const counted = await withClient(postgres.url, (client: pg.Client) =>
    client.query<{ name: string; count: number }>(
      `SELECT application_name AS name, count(*)::int FROM pg_stat_activity
       WHERE datname = 'pooled' GROUP BY 1 ORDER BY 1`,
    ),
  );
  const countOf = (name: string) => counted.rows.find((row) => row.name === name)?.count ?? 0;
  expect(countOf("countersign listen")).toBe(1);
  expect(countOf("countersign")).toBeLessThanOrEqual(few);
  // An advisory lock would stay with PgBouncer's connection and block the next instance.
  const locks = await withClient(postgres.url, (client) =>
    client.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND database <> 0"),
  );
  expect(locks.rowCount).toBe(0);
  for (const copy of copies) expect(copy.output()).not.toMatch(/"level":"(warn|error)"/);

  // The instances report the outage and recover, and no listener is disconnected.
  await bouncer.kill();
  const refused = await call(here, "/api/approvals", question);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  await bouncer.start();
  for (const copy of copies)
    await expect.poll(async () => (await call(copy, "/api/approvals", question)).status).toBe(201);
  const last = ids.at(-1);
  expect((await call(here, `/api/approvals/${last}/resolve`, { kind: "option", optionId: "yes" })).status).toBe(200);
  await expect.poll(() => heard).toContain(`"id":"${last}","resolution"`);
});
