import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { answerApproval } from "@/lib/approvals/answer";
import { getApproval, submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import type { Approval } from "@/lib/approvals/schema";
import { env } from "@/lib/config/env";
import { disconnect } from "@/lib/database/db";
import type { Home } from "@/lib/database/shards/homes";
import { separateSequences } from "@/lib/database/shards/moves/event-order";
import { isOfHomes, movedTables } from "@/lib/database/shards/moves/owner-tables";
import { watchPauses } from "@/lib/database/shards/moves/pause-gate";
import { finishSwitch, markCopying, pauseHomes, switchHomes } from "@/lib/database/shards/moves/placement-changes";
import { readPlacement } from "@/lib/database/shards/placement/read-placement";
import { guardStatements, setPlacement, shardOfHome } from "@/lib/database/shards/shard-map";
import { configure } from "@/lib/testing/change-settings";
import { anApp, aTokenFor } from "@/lib/testing/factories";
import { ownDatabase } from "@/lib/testing/own-database";
import { aQuestion } from "@/lib/testing/sample-question";
import { anOwnerWithHome } from "@/lib/testing/two-shards";
import { connectWithoutTriggers } from "./connection-without-triggers";
import { explore, runSeeds, scenario } from "./explore";
import { step } from "./scheduler";

/*
 * A home moves between two databases while its owner and an app read and write. The pause, its
 * confirmation by an instance, and the switch are the product's. The test copies and deletes the
 * rows itself, because replication takes seconds. Therefore, these runs cover neither replication
 * and its last changes, nor the views that hide homes (move-homes.more.test.ts does).
 */

const home = 17 as Home;
const names = ["main", "two"] as const;
const second = await ownDatabase();
afterAll(() => second.end());
const urls = [env().databaseUrl, second.url];
const clients = await Promise.all(
  urls.map(async (connectionString, number) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await separateSequences(client, number);
    return client;
  }),
);
const directory = clients[0]!;

const party = await (async () => {
  const { clientId } = await anApp(await anOwnerWithHome(1));
  const owner = await anOwnerWithHome(home);
  return { owner, ...(await aTokenFor(owner, clientId, ["approvals:write", "approvals:read"])) };
})();
const { owner, app } = party;

const tables = await movedTables(directory);
const columns = new Map<string, string>();
for (const name of [...tables.map((table) => table.name), "app"]) {
  const text = `SELECT string_agg(quote_ident(attname), ', ') AS all FROM pg_attribute
    WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`;
  columns.set(name, (await directory.query(text, [name])).rows[0].all);
}
/** SQL: inserts the rows of a table, which are in JSON. */
const insertRows = (name: string) =>
  `INSERT INTO "${name}" (${columns.get(name)}) OVERRIDING SYSTEM VALUE
   SELECT ${columns.get(name)} FROM json_populate_recordset(NULL::"${name}", $1)`;
const allRows = tables
  .map(
    (table) => `SELECT '${table.name}' AS name, json_agg(t)::text AS rows FROM "${table.name}" t
    WHERE ${isOfHomes(table, [home])} HAVING count(*) > 0`,
  )
  .join(" UNION ALL ");
type Rows = { name: string; rows: string }[];

/** Connections that copy and delete rows without triggers, as replication does. */
const copying = await Promise.all(urls.map((url) => connectWithoutTriggers(url)));
/** Runs a statement, which PostgreSQL plans only once. */
const prepared = (client: pg.Client, text: string, values: unknown[] = []) =>
  client.query({ name: createHash("sha256").update(text).digest("base64url"), text, values });
async function inOneTransaction(client: pg.Client, work: () => Promise<unknown>) {
  await client.query("BEGIN");
  await work();
  await client.query("COMMIT");
}

const { rows: apps } = await directory.query("SELECT json_agg(a)::text AS rows FROM app a");
await copying[1]!.query(insertRows("app"), [apps[0].rows]);
await directory.query("INSERT INTO shard (name, number) VALUES ('two', 1)");
await disconnect();
configure({ SHARDS: `two=${second.url}` });
watchPauses();
// As in production. Messages to other instances may use the former shard.
guardStatements(undefined);
/** Adopts the directory's placement as an instance does. Resolves once earlier work has ended. */
const adoptPlacement = async () => setPlacement(await readPlacement());
await adoptPlacement();

afterAll(async () => {
  await disconnect();
  await setPlacement();
  configure({ SHARDS: undefined });
  await Promise.all(clients.map((client) => client.end()));
});

/**
 * Moves the home to the other shard.
 * @param confirmPause waits until the instance has paused the home
 */
async function move(confirmPause: () => Promise<void>) {
  const from = shardOfHome(home);
  const [former, next] = [copying[from]!, copying[1 - from]!];
  await markCopying(directory, [home], names[from]!, names[1 - from]!);
  await pauseHomes(directory, [home]);
  await step("pause recorded, not confirmed");
  await confirmPause();
  await step("pause confirmed, not switched");
  const { rows: all } = (await prepared(former, allRows)) as { rows: Rows };
  await inOneTransaction(next, async () => {
    for (const { name, rows } of all) await prepared(next, insertRows(name), [rows]);
  });
  await switchHomes(directory, [home], names[from]!, names[1 - from]!);
  await finishSwitch(directory, [home]);
  await step("switched, not confirmed");
  await adoptPlacement();
  await step("switch confirmed, former rows not deleted");
  await inOneTransaction(former, async () => {
    for (const { name, owner: column } of tables.filter((table) => all.some(({ name }) => name === table.name)))
      await prepared(former, `DELETE FROM "${name}" WHERE ${isOfHomes({ name, owner: column }, [home])}`);
  });
}

const ship = { kind: "option", optionId: "ship" } as const;
const seen = contentHash(aQuestion);

const moveAgainstWrites = (confirmPause: () => Promise<void>) =>
  scenario({
    title: "keeps everything that is written while the owner's home moves to another shard",
    passing: [
      "mover: shard chosen, statement not sent",
      "batch answered, not delivered",
      "change committed, not published",
    ],
    alone: true,
    begin: () => configure({ MAX_PENDING: "0" }),
    prepare: async () => ({ id: (await submitApproval(app, aQuestion)).id, from: shardOfHome(home) }),
    actors: ({ id }) => ({
      app: () => submitApproval(app, aQuestion),
      mover: () => move(confirmPause),
      owner: () => answerApproval(owner, id, ship, seen, { confirmed: true }),
      reader: async () => JSON.parse((await getApproval(app, id)).text) as Approval,
    }),
    async check({ id, from }, { app: asking, mover, owner: answering, reader }) {
      for (const it of [asking, mover, answering, reader]) if (it.status === "rejected") throw it.reason;
      const { id: asked } = (asking as PromiseFulfilledResult<{ id: string }>).value;
      expect((answering as PromiseFulfilledResult<{ won?: boolean }>).value.won).toBe(true);
      const [former, next] = [copying[from]!, copying[1 - from]!];
      expect((await prepared(former, allRows)).rows).toEqual([]);
      const states = "SELECT id, status FROM approval WHERE id = ANY ($1) ORDER BY status";
      expect((await next.query(states, [[id, asked]])).rows).toEqual([
        { id: asked, status: "pending" },
        { id, status: "resolved" },
      ]);
      // Otherwise, every move copies more.
      for (const table of ["approval", "event"])
        await prepared(next, `DELETE FROM ${table} WHERE owner_id = $1`, [owner.ownerId]);
    },
  });

explore(moveAgainstWrites(adoptPlacement));

test("finds the write that is lost if a home moves without a pause", async () => {
  await expect(runSeeds(moveAgainstWrites(async () => {}))).rejects.toThrow("To repeat:");
});
