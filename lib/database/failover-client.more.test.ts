import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDb, disconnect, pool } from "@/lib/database/db";
import { asAppError } from "@/lib/errors";
import { checkDatabase } from "@/lib/postgres/connection-check";
import { start, stop } from "@/lib/postgres/postgres-server";
import { configure } from "@/lib/testing/change-settings";
import { query, throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { FailoverClient } from "./failover-client";

// A primary, a standby, and an address that does not respond. The standby follows no primary, which
// does not matter in these tests.
const [primary, standby] = await Promise.all([throwawayPostgres(), throwawayPostgres()]);
const list = `postgresql://countersign:throwaway@127.0.0.1:1,127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`;

beforeAll(async () => {
  await stop(standby.instance);
  writeFileSync(join(standby.instance.data, "standby.signal"), "");
  await start(standby.instance, standby.port);
  await disconnect();
  configure({ DATABASE_URL: list });
});
afterAll(async () => {
  await closeDb();
  await Promise.all([primary, standby].map(({ end }) => end()));
});

const ask = "SELECT current_setting('port')::int AS port";
const reached = async () => (await pool().query<{ port: number }>(ask)).rows[0]?.port;

test("uses the database server that accepts writes", async () => {
  expect(await checkDatabase({ DATABASE_URL: list })).toEqual([]);
  expect(await Promise.all([reached(), reached(), reached()])).toEqual([primary.port, primary.port, primary.port]);
});

test("returns 503 while no database server accepts writes", async () => {
  await stop(primary.instance);
  // Waits until the old connections are closed and the client has forgotten the cached primary.
  await expect.poll(() => reached().catch((error) => asAppError(error)?.status)).toBe(503);
  const refused = new FailoverClient({ connectionString: list }).connect().catch((error) => error);
  expect(await refused).toMatchObject({
    code: "25006",
    message: expect.stringContaining("no listed server accepts writes"),
  });
  await expect(checkDatabase({ DATABASE_URL: list })).rejects.toThrow(/no listed server accepts writes/);

  const told: string[] = [];
  const waiting = checkDatabase({ DATABASE_URL: list }, { seconds: 3600, tell: (line) => told.push(line) });
  await expect.poll(() => told).toHaveLength(1);
  await query(standby.url, "SELECT pg_promote()");
  expect(await waiting).toEqual([]);
  await expect.poll(() => reached().catch(() => undefined)).toBe(standby.port);
  expect(await reached()).toBe(standby.port);
});
