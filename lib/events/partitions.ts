import { runLongStatement } from "@/lib/database/long-statement";
import { empty, literal, type Sql, sql } from "@/lib/database/sql";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/work/process-singleton";

/*
 * The log lies in partitions by id, of which each new one begins with a month, once the one before has a million events. A
 * statement that looks into all of them costs something for each; so those that are asked all day leave out the ones that cannot
 * have what they look for. Where a partition begins stands in their text, since PostgreSQL then plans for the rest alone. What is
 * known here may be old: then they leave out fewer.
 */

type Known = { begins: readonly bigint[]; at: number };
const known = processSingleton<Known>("event partitions", () => ({ begins: [], at: Number.NEGATIVE_INFINITY }));

/** For how long what is known will do. */
const goodForMs = 600_000;

function begins(): readonly bigint[] {
  const it = known();
  if (performance.now() - it.at > goodForMs) {
    it.at = performance.now();
    readPartitions().catch((error) => log.warn("could not look which partitions the log has", error));
  }
  return it.begins;
}

/** Look where partitions begin, but for the first, which has no beginning. */
export async function readPartitions(): Promise<void> {
  const found = await sql<{ begins: string }>`SELECT begins::text FROM event_partition
    WHERE begins IS NOT NULL ORDER BY event_partition.begins`.rows();
  Object.assign(known(), { begins: found.map((it) => BigInt(it.begins)), at: performance.now() });
}

/** As many ids as transactions that are open at once can have taken, by far. */
const disorder = 1_000_000n;

/** Leaves out partitions of `e` that end before anything that comes after this id in the order of the log. */
export const inPartitionsAfter = (id: string): Sql =>
  startingAt(begins().findLast((first) => first <= BigInt(id) - disorder));

/**
 * Leaves out all partitions of `e` but the last two: for what was written since a transaction began that is still open, or
 * was a moment ago.
 */
export const inRecentPartitions = (): Sql => startingAt(begins().at(-2));

/** Before which id `lately` looks at nothing; 0 where it looks at everything. */
export const recentPartitionStart = (): Sql => literal(Number(begins().at(-2) ?? 0n));

const startingAt = (first: bigint | undefined) =>
  first === undefined ? empty : sql`AND e.id >= ${literal(Number(first))}`;

/**
 * Begin a new partition, if it is time. What it takes from those who write is a lock of some milliseconds.
 * @param least events that the last one must have
 * @returns whether it did
 */
export async function createPartition(least = 1_000_000): Promise<boolean> {
  const step = async (name: string) =>
    (await runLongStatement(sql<{ done: boolean }>`SELECT cut_events(${name}, ${least}) AS done`)).rows[0]?.done ===
    true;
  if (!(await step("close"))) return false;
  try {
    await step("check");
    const done = await step("begin");
    await readPartitions();
    return done;
  } catch (error) {
    await step("open");
    throw error;
  }
}
