import { afterAll, expect, test } from "vitest";
import { disconnect, pool } from "@/lib/database/db";
import { subscribe } from "@/lib/events/pubsub";
import { configure } from "@/lib/testing/change-settings";
import { obeyed } from "@/lib/testing/operator-command";
import { realDatabaseTimeouts } from "@/lib/testing/real-database-timeouts";
import { between } from "@/lib/testing/simulated-pooler";
import { inDatabase } from "@/lib/testing/temporary-postgres";
import { checkDatabase } from "./connection-check";

const url = process.env.DATABASE_URL ?? "";
const [direct, session, transaction] = await Promise.all([
  between(url, { transparent: true }),
  between(url),
  between(url, { forgets: true }),
]);

afterAll(async () => {
  await disconnect();
  configure({ DATABASE_URL: url, DATABASE_DIRECT_URL: "" });
  await Promise.all([direct, session, transaction].map(({ close }) => close()));
});

test("accepts a direct connection and a pooler in session mode", async () => {
  expect(await checkDatabase({ DATABASE_URL: direct.url })).toEqual([]);
  expect(await checkDatabase({ DATABASE_URL: session.url })).toEqual([]);
});

// The tests run concurrently, because each waits for a message that never arrives.
test.concurrent.each([
  [
    "a transaction-mode pooler without a second address",
    { DATABASE_URL: transaction.url },
    /^DATABASE_URL leads to a connection pooler in transaction mode\. .* Set DATABASE_DIRECT_URL .*\.$/,
  ],
  [
    "a second address of a pooler",
    { DATABASE_URL: direct.url, DATABASE_DIRECT_URL: transaction.url },
    /^A NOTIFY sent through DATABASE_URL does not arrive through DATABASE_DIRECT_URL\. /,
  ],
  [
    "a second address of another database",
    { DATABASE_URL: url, DATABASE_DIRECT_URL: inDatabase(url, "postgres") },
    /^A NOTIFY sent through DATABASE_URL does not arrive through DATABASE_DIRECT_URL\. /,
  ],
  [
    "a pooler without prepared statements",
    { DATABASE_URL: transaction.url, DATABASE_DIRECT_URL: url },
    /^The connection pooler at DATABASE_URL does not support prepared statements\. Use PgBouncer 1\.21/,
  ],
])("reports %s in one sentence at startup", async (_, given, sentence) => {
  await expect(checkDatabase(given)).rejects.toThrow(sentence);
});

test("warns about missing statement timeouts that the service cannot set", async () => {
  const given = { DATABASE_URL: session.url, DATABASE_DIRECT_URL: url };
  expect(await checkDatabase(given)).toEqual([expect.stringMatching(/ALTER ROLE CURRENT_USER SET statement_timeout/)]);
  await pool().query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET statement_timeout = '2s'`);
  expect(await checkDatabase(given)).toEqual([]);
  await pool().query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} RESET statement_timeout`);
});

test("retries the connection only while a database is unreachable", async () => {
  await direct.close();
  const given = { DATABASE_URL: direct.url };
  await expect(checkDatabase(given)).rejects.toThrow(
    /^Could not connect to the database at DATABASE_URL: connect ECONN/,
  );
  const told: string[] = [];
  const waiting = checkDatabase(given, { seconds: 3600, tell: (line) => told.push(line) });
  await expect
    .poll(() => told)
    .toEqual([expect.stringMatching(/^Waiting up to 3600 s for the database at DATABASE_URL/)]);
  await direct.open();
  expect(await waiting).toEqual([]);
  expect(told).toHaveLength(1);

  const wrong = new URL(url);
  wrong.password = "hush";
  const refused = checkDatabase({ DATABASE_URL: wrong.href }, { seconds: 3600 });
  await expect(refused).rejects.toThrow(
    /^Could not connect to the database at DATABASE_URL: password authentication failed/,
  );
});

test("sets timeouts on direct connections but not through a pooler", async () => {
  const shown = async (settings: Record<string, string>) => {
    await disconnect();
    configure(settings);
    const { rows } = await pool().query(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle`,
    );
    return rows;
  };
  await realDatabaseTimeouts();
  direct.began.length = 0;
  expect(await shown({ DATABASE_URL: direct.url })).toEqual([{ statement: "2s", idle: "10s" }]);
  expect(direct.began.map((given) => Object.keys(given).sort())).toEqual([
    ["application_name", "client_encoding", "database", "user"],
  ]);
  expect(await shown({ DATABASE_URL: direct.url, DATABASE_DIRECT_URL: url })).toEqual([{ statement: "0", idle: "0" }]);
});

test("bypasses the pooler for migrations and listeners", async () => {
  transaction.began.length = 0;
  const given = { DATABASE_URL: session.url, DATABASE_DIRECT_URL: url, SECRET: process.env.SECRET ?? "" };
  expect((await obeyed(given, ["owner", "list"])).json()).toEqual({ owners: [] });
  configure({ DATABASE_URL: transaction.url, DATABASE_DIRECT_URL: url });
  let heard = 0;
  const stop = subscribe("own_far", () => heard++);
  await expect.poll(() => heard).toBeGreaterThan(0);
  const before = heard;
  await pool().query("SELECT pg_notify('countersign_news', 'another own_far')");
  await expect.poll(() => heard).toBeGreaterThan(before);
  stop();
  const names = [session, transaction].flatMap(({ began }) => began.map((given) => given.application_name));
  expect(new Set(names)).toEqual(new Set(["countersign", "countersign check"]));
});
