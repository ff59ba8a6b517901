import { clock } from "@/lib/clock";
import { runLongStatement } from "@/lib/database/long-statement";
import { empty, literal, type Sql, sql } from "@/lib/database/sql";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/work/process-singleton";

/*
 * The log grows without end, so it is partitioned by ID. A new partition begins with a month, once
 * the previous one has a million events. Every partition that PostgreSQL plans for slows down a
 * statement. Frequent statements therefore name literal bounds in their text, and PostgreSQL plans
 * only for the partitions that can match. The cached bounds may be old; statements then read more
 * partitions than needed.
 */

type PartitionCache = { begins: readonly bigint[]; at: number };
const known = processSingleton<PartitionCache>("event partitions", () => ({
  begins: [],
  at: Number.NEGATIVE_INFINITY,
}));

/** Lifetime of the cached bounds, in milliseconds. */
const goodForMs = 600_000;

function begins(): readonly bigint[] {
  const it = known();
  if (clock.elapsed() - it.at > goodForMs) {
    it.at = clock.elapsed();
    readPartitions().catch((error) =>
      log.warn("could not read the event log's partitions; the service will retry", error),
    );
  }
  return it.begins;
}

/** Reads where partitions begin. Omits the first partition, which has no lower bound. */
export async function readPartitions(): Promise<void> {
  const found = await sql<{ begins: string }>`
    SELECT begins::text
    FROM event_partition
    WHERE begins IS NOT NULL
    ORDER BY event_partition.begins`.rows();
  Object.assign(known(), { begins: found.map((it) => BigInt(it.begins)), at: clock.elapsed() });
}

/**
 * The maximum distance between IDs that are out of order. It is far above the number of IDs in
 * concurrent transactions.
 */
const disorder = 1_000_000n;

/** SQL: excludes the partitions of `e` that can't have events after this ID in log order. */
export const inPartitionsAfter = (id: string): Sql =>
  startingAt(begins().findLast((first) => first <= BigInt(id) - disorder));

/**
 * SQL: excludes all partitions of `e` except the last two, which have all events of recent
 * transactions.
 */
export const inRecentPartitions = (): Sql => startingAt(begins().at(-2));

/** SQL: the ID below which recent reads ignore events; 0 if they read everything. */
export const recentPartitionStart = (): Sql => literal(Number(begins().at(-2) ?? 0n));

const startingAt = (first: bigint | undefined) =>
  first === undefined ? empty : sql`AND e.id >= ${literal(Number(first))}`;

/**
 * Creates a new partition if one is due. Blocks writers for a few milliseconds.
 * @param least the minimum number of events in the last partition
 * @returns whether it created one
 */
export async function createPartition(least = 1_000_000): Promise<boolean> {
  const step = async (name: string) => {
    const cut = sql<{ done: boolean }>`SELECT cut_events(${name}, ${least}) AS done`;
    return (await runLongStatement(cut)).rows[0]?.done === true;
  };
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
