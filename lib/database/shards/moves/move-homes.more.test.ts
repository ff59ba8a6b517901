import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { AppActor } from "@/lib/actor";
import { submitApproval } from "@/lib/approvals/approvals";
import { finishDecidedMove, finishDecidedMoves } from "@/lib/cli/shards/finish-decided-move";
import { lockShards } from "@/lib/cli/shards/shard-connections";
import { db, disconnect } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { newOwnerId } from "@/lib/ids";
import { migrate } from "@/lib/postgres/migrations";
import type { Scope } from "@/lib/scopes";
import { configure } from "@/lib/testing/change-settings";
import { anApp, aTokenFor } from "@/lib/testing/factories";
import { replicatingPostgres } from "@/lib/testing/replicating-postgres";
import { aQuestion } from "@/lib/testing/sample-question";
import { finishFanOut } from "@/lib/webhooks/finish-fan-out";
import type { Home } from "../homes";
import { type PlacementWatch, watchPlacement } from "../placement/watch-placement";
import { setPlacement } from "../shard-map";
import { inShard } from "../statement-routing";
import { separateSequences } from "./event-order";
import type { Move, MoveStep } from "./move";
import { abortMove, moveHomes } from "./move-homes";
import { movedTables } from "./owner-tables";
import { passing } from "./pause-gate";

/*
 * Homes move between the directory and a second database on one server, while this process, as an
 * instance, sends the product's own statements for their owners.
 */

const scopes: Scope[] = ["approvals:write", "approvals:read"];
let postgres: Awaited<ReturnType<typeof replicatingPostgres>>;
let urls: { main: string; two: string };
const clients: pg.Client[] = [];
let directory: pg.Client;
let watch: PlacementWatch;
const former = { ...process.env };

const open = async (url: string) => {
  const client = new pg.Client({ connectionString: url, application_name: "mover" });
  clients.push(client);
  await client.connect();
  return client;
};

beforeAll(async () => {
  postgres = await replicatingPostgres();
  urls = postgres;
  await migrate(urls.two);
});

beforeEach(async () => {
  await disconnect();
  configure({ DATABASE_URL: urls.main, SHARDS: `two=${urls.two}` });
  directory = await open(urls.main);
  await directory.query("INSERT INTO shard (name, number) VALUES ('two', 1) ON CONFLICT DO NOTHING");
  await separateSequences(directory, 0);
  await separateSequences(await open(urls.two), 1);
  watch = await watchPlacement(`test 1 ${"0".repeat(8)}`);
  // The service's own connection for notifications would outlive the server.
  const listener = await open(urls.main);
  listener.on("notification", watch.wake);
  await listener.query("LISTEN countersign_news");
});

afterEach(async () => {
  await watch.stop();
  await disconnect();
  await setPlacement();
  await Promise.all(clients.splice(0).map((client) => client.end()));
});

afterAll(async () => {
  await disconnect();
  configure({ DATABASE_URL: former.DATABASE_URL, SHARDS: undefined });
  await postgres.end();
});

/** Creates an owner with an app that can ask. The app and its owner are in the directory. */
async function asker(home: number): Promise<{ ownerId: string; app: AppActor }> {
  const person = async (at: number) => {
    const ownerId = newOwnerId(at as Home);
    await db.owner.create({ data: { id: ownerId, email: `${ownerId}@example.com`, name: "Robin", passwordHash: "-" } });
    return { kind: "owner" as const, ownerId, email: "", password: "", name: "Robin", session: "s", fresh: true };
  };
  const { clientId } = await anApp(await person(1));
  const two = await open(urls.two);
  const { rows } = await directory.query("SELECT to_json(a) AS app FROM app a WHERE id = $1", [
    (await directory.query("SELECT id FROM app ORDER BY created_at DESC LIMIT 1")).rows[0].id,
  ]);
  await two.query("SET session_replication_role = replica");
  await two.query("INSERT INTO app SELECT * FROM json_populate_record(NULL::app, $1)", [rows[0].app]);
  const owner = await person(home);
  const { app } = await aTokenFor(owner, clientId, scopes);
  return { ownerId: owner.ownerId, app: { ...app, needs: "approvals:write" } };
}

async function aMove(from: "main" | "two", homes: number[], before?: Move["before"]): Promise<Move> {
  const side = async (name: "main" | "two") => ({
    name,
    number: name === "main" ? 0 : 1,
    url: urls[name],
    client: await open(urls[name]),
    finishFanOut: () => passing(() => inShard(name === "main" ? 0 : 1, () => finishFanOut())),
  });
  const to = from === "main" ? "two" : "main";
  return {
    directory,
    from: await side(from),
    to: await side(to),
    homes: homes as Home[],
    snapshot: await open(urls[to]),
    tell: () => {},
    ...(before && { before }),
  };
}

/** The number of rows of a home in each database, over all tables. */
async function rowsOf(ownerId: string): Promise<[main: number, two: number]> {
  const counts = [directory, await open(urls.two)].map(async (client) => {
    let sum = 0;
    for (const { name, owner } of await movedTables(client)) {
      const { rows } = await client.query(`SELECT count(*)::int AS n FROM public."${name}" WHERE ${owner} = $1`, [
        ownerId,
      ]);
      sum += rows[0].n;
    }
    return sum;
  });
  return (await Promise.all(counts)) as [number, number];
}

/** Asks all the time until stopped. Returns the IDs of acknowledged questions, in order. */
function asking(app: AppActor) {
  const asked: string[] = [];
  const state = { stopped: false, longestMs: 0 };
  const done = (async () => {
    while (!state.stopped) {
      const began = performance.now();
      asked.push((await submitApproval(app, { ...aQuestion, question: `Ship ${asked.length}?` })).id);
      state.longestMs = Math.max(state.longestMs, performance.now() - began);
      await pause(20);
    }
  })();
  return {
    asked,
    stop: async () => {
      state.stopped = true;
      await done;
      return { asked, longestMs: state.longestMs };
    },
  };
}

const eventsIn = async (url: string, ownerId: string) =>
  (
    await (
      await open(url)
    ).query("SELECT subject FROM event WHERE owner_id = $1 AND type = 'approval.submitted' ORDER BY tx, id", [ownerId])
  ).rows.map(({ subject }) => subject);

test("moves homes back and forth while their owners get questions", async () => {
  const { ownerId, app } = await asker(700);
  const stays = await asker(300);
  const writers = [asking(app), asking(stays.app)];
  const standstills: (number | undefined)[] = [];
  for (const from of ["main", "two", "main", "two"] as const) {
    await pause(200);
    standstills.push((await moveHomes(await aMove(from, [699, 700, 701]))).standstillMs);
    const [main, two] = await rowsOf(ownerId);
    expect([from, main > 0, two > 0]).toEqual([from, from === "two", from === "main"]);
  }
  const [moved, still] = await Promise.all(writers.map((it) => it.stop()));
  console.info(
    "standstill, ms:",
    standstills.map((it) => Math.round(it ?? 0)).join(" "),
    "longest request, ms:",
    Math.round(moved!.longestMs),
  );
  expect(moved!.asked.length).toBeGreaterThan(50);
  expect(await eventsIn(urls.main, ownerId)).toEqual(moved!.asked);
  expect(await eventsIn(urls.main, stays.ownerId)).toEqual(still!.asked);
});

const steps: MoveStep[] = [
  "mark",
  "hide",
  "order",
  "copy",
  "pause",
  "drain",
  "decide",
  "show",
  "finish",
  "compare",
  "delete",
];

test.each(steps)("continues after the mover stopped before the step %s", async (at) => {
  const { ownerId, app } = await asker(40);
  const writer = asking(app);
  const failing = moveHomes(
    await aMove("main", [40], (step) => {
      if (step === at) throw new Error("stopped");
    }),
  );
  await expect(failing).rejects.toThrow("stopped");
  await moveHomes(await aMove("main", [40]));
  const { asked } = await writer.stop();
  expect((await rowsOf(ownerId))[0]).toBe(0);
  expect(await eventsIn(urls.two, ownerId)).toEqual(asked);
  await moveHomes(await aMove("two", [40]));
  expect((await rowsOf(ownerId))[1]).toBe(0);
  expect(await eventsIn(urls.main, ownerId)).toEqual(asked);
});

test.each([
  ["show", 60],
  ["finish", 61],
] as const)("serves the homes after the mover stopped before the step %s", async (at, home) => {
  const { ownerId, app } = await asker(home);
  const writer = asking(app);
  const failing = moveHomes(
    await aMove("main", [home], (step) => {
      if (step === at) throw new Error("stopped");
    }),
  );
  await expect(failing).rejects.toThrow("stopped");
  const before = writer.asked.length;
  const stopFinishing = finishDecidedMoves();
  // The writer waits during the pause, and fails if the pause lasts too long.
  await expect.poll(() => writer.asked.length).toBeGreaterThan(before + 5);
  await stopFinishing();
  const { rows } = await directory.query("SELECT state, shard FROM home_placement WHERE home = $1", [home]);
  expect(rows).toEqual([{ state: "placed", shard: "two" }]);
  const { asked } = await writer.stop();
  expect(await eventsIn(urls.two, ownerId)).toEqual(asked);
  // The former rows remain hidden until the command runs again, also from background work.
  expect((await rowsOf(ownerId))[0]).toBeGreaterThan(0);
  expect(await inShard(0, () => sql`SELECT FROM approval WHERE owner_id = ${ownerId}`.rows())).toEqual([]);
  await moveHomes(await aMove("main", [home]));
  expect((await rowsOf(ownerId))[0]).toBe(0);
  expect(await eventsIn(urls.two, ownerId)).toEqual(asked);
});

test("leaves a decided move to a mover that is still running", async () => {
  const { app } = await asker(70);
  const states: string[] = [];
  await lockShards(directory);
  await moveHomes(
    await aMove("main", [70], async (step) => {
      if (step !== "show") return;
      await finishDecidedMove();
      states.push((await directory.query("SELECT state FROM home_placement WHERE home = 70")).rows[0].state);
    }),
  );
  expect(states).toEqual(["paused"]);
  await submitApproval(app, aQuestion);
});

test("aborts a move before its switch, and deletes the copies", async () => {
  const { ownerId, app } = await asker(50);
  const writer = asking(app);
  const stopping = await aMove("main", [50], (step) => {
    if (step === "pause") throw new Error("stopped");
  });
  await expect(moveHomes(stopping)).rejects.toThrow("stopped");
  expect((await rowsOf(ownerId))[1]).toBeGreaterThan(0);
  await abortMove(await aMove("main", [50]));
  const { asked } = await writer.stop();
  expect((await rowsOf(ownerId))[1]).toBe(0);
  expect(await eventsIn(urls.main, ownerId)).toEqual(asked);
  const { rows } = await directory.query("SELECT state, shard FROM home_placement WHERE home = 50");
  expect(rows).toEqual([{ state: "placed", shard: "main" }]);
});
