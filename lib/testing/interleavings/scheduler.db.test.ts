import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { runSeeds, scenario } from "./explore";
import { Crashed, step } from "./scheduler";

await pool().query("CREATE TABLE counter (lane int PRIMARY KEY, n int NOT NULL)");
const read = async (lane: number) => (await pool().query("SELECT n FROM counter WHERE lane = $1", [lane])).rows[0].n;

/** Two actors that each add one, and one that adds one to a row that it locks. */
const additions = (add: (lane: number) => Promise<void>) =>
  scenario({
    title: "adds",
    prepare: async (lane) => {
      await pool().query("INSERT INTO counter VALUES ($1, 0) ON CONFLICT (lane) DO UPDATE SET n = 0", [lane]);
      return lane;
    },
    actors: (lane) => ({ first: () => add(lane), second: () => add(lane), third: () => add(lane) }),
    async check(lane) {
      expect(await read(lane)).toBe(3);
    },
  });

const addUnlocked = async (lane: number) => {
  const n = await read(lane);
  await step("read, not written");
  await pool().query("UPDATE counter SET n = $2 WHERE lane = $1", [lane, n + 1]);
};

async function addLocked(lane: number) {
  const client = await pool().connect();
  await client.query("BEGIN");
  const { rows } = await client.query("SELECT n FROM counter WHERE lane = $1 FOR UPDATE", [lane]);
  await step("locked, not written");
  await client.query("UPDATE counter SET n = $2 WHERE lane = $1", [lane, rows[0].n + 1]);
  await step("written, not committed");
  await client.query("COMMIT");
  client.release();
}

/** Returns a failed run's message. */
const failureOf = (run: Promise<unknown>) => run.then(String, (error: Error) => error.message);

test("repeats a failure with its seed, and prints the command for it", async () => {
  const message = await failureOf(runSeeds(additions(addUnlocked)));
  expect(message).toMatch(/^Seed \d+: expected [12] to be 3/);
  expect(message).toContain("first: read, not written");
  const [, seed] = /INTERLEAVING_SEED=(\d+) npx vitest run /.exec(message) ?? [];
  expect(message).toContain(
    ' lib/testing/interleavings/scheduler.db.test.ts -t "repeats a failure with its seed, and prints the command for it"',
  );
  for (let again = 0; again < 3; again++)
    expect(await failureOf(runSeeds(additions(addUnlocked), Number(seed), 1))).toBe(message);
});

test("lets actors wait for each other's locks, in every order", async () => {
  const orders = await runSeeds(additions(addLocked), 1, 50);
  // Each of three actors can lock the row first, second or last.
  expect(orders).toBeGreaterThanOrEqual(6);
});

test("crashes only the actors that can crash, at each of their steps", async () => {
  const crashes = new Set<string>();
  await runSeeds(
    {
      title: "crashes",
      prepare: async () => 0,
      actors: () => ({ crashing: () => step("first").then(() => step("second")), other: () => step("only") }),
      crashing: ["crashing"],
      async check(_, { crashing, other }) {
        expect(other.status).toBe("fulfilled");
        if (crashing.status === "fulfilled") return;
        expect(crashing.reason).toBeInstanceOf(Crashed);
        crashes.add(crashing.reason.message);
      },
    },
    1,
    50,
  );
  expect([...crashes].sort()).toEqual(["begin", "first", "second"].map((point) => `crashing crashed: ${point}`));
});
