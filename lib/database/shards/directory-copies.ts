import { clock } from "@/lib/clock";
import { asAppError, driverError } from "@/lib/errors";
import { pausePoint } from "@/lib/pause-points";
import { processSingleton } from "@/lib/work/process-singleton";
import { destinationOf, type OutgoingStatement } from "./destination";
import { enter } from "./moves/pause-gate";
import { isOfService, placementTables, readsOnlyClock, replicatedTables, tablesIn } from "./service-tables";
import { directoryShard, hasSeveralShards, shardOf, shards, statementGuard } from "./shard-map";
import { retryOnOtherShard } from "./spqr";
import { destinationFor, shardFor } from "./statement-routing";

/*
 * PostgreSQL copies some of the service's tables from the directory to every shard
 * (service-tables.ts), milliseconds after each change. A read of only these tables goes to the
 * directory, so that it sees what was just written. While the directory is away, it goes to the
 * copy on the shard of its work, so that known owners and apps go on. The placement of homes is
 * never read from a copy, because a copy can be older than what this process knows.
 */

/** The copied tables that are read while the directory is away. */
const copied = new Set(replicatedTables.filter((table) => !placementTables.includes(table)));
const copiedModels = new Set(["app", "dataKey", "receiptKey", "retainedKey", "webhookEndpoint", "webhookSecret"]);

/** For how long the directory is not asked after it was away, in milliseconds. */
const awayMs = 5000;
const state = processSingleton("directory", () => ({ awayUntil: 0 }));

const known = new Map<string, boolean>();

/** Like `isReadOfCopies`, from memory. */
function readsCopied({ text }: OutgoingStatement): boolean {
  let it = known.get(text);
  if (it === undefined) known.set(text, (it = isReadOfCopies(text)));
  return it;
}

/** Whether the text of a statement only reads copied tables, without locks, or only the clock. */
export function isReadOfCopies(text: string): boolean {
  const [, model = "", method = ""] = /^(\w+)\.(\w+) \(Prisma\)$/.exec(text) ?? [];
  if (model) return copiedModels.has(model) && /^(find|count|aggregate|groupBy)/.test(method);
  if (readsOnlyClock(text)) return true;
  return (
    isOfService(text) &&
    tablesIn(text).every((table) => copied.has(table)) &&
    !/\b(INSERT|UPDATE|DELETE|FOR\s+(KEY\s+)?SHARE)\b/i.test(text)
  );
}

/** Returns the shard of the work that sends a statement about the service, but not the directory. */
function copyFor(statement: OutgoingStatement): number | undefined {
  const to = destinationOf({ ...statement, ofService: false });
  const shard = to && shardOf(to);
  return shard !== undefined && shard !== directoryShard ? shard : shards()[1]?.number;
}

/**
 * Sends a statement to its shard, once its home is not paused (./moves/pause-gate.ts). A read of
 * copied tables goes to a copy while the directory is away.
 */
export function sendToShard<T>(statement: OutgoingStatement, send: (shard: number) => Promise<T>): Promise<T> {
  if (!hasSeveralShards()) return send(shardFor(statement));
  const ofTest = statementGuard()?.everywhere?.(statement, send);
  if (ofTest) return ofTest;
  const sendTo = (shard: number) => retryOnOtherShard(() => send(shard));
  const sendNow = async () => {
    const shard = shardFor(statement);
    await pausePoint("shard chosen, statement not sent");
    const copy = shard === directoryShard && readsCopied(statement) ? copyFor(statement) : undefined;
    return copy === undefined ? sendTo(shard) : readDirectory(sendTo, copy);
  };
  return enter(destinationFor(statement), () => awaitCopies(sendNow));
}

async function readDirectory<T>(send: (shard: number) => Promise<T>, copy: number): Promise<T> {
  const it = state();
  if (clock.now() < it.awayUntil) return send(copy);
  // While one read finds out whether the directory is back, others go to a copy.
  if (it.awayUntil > 0) it.awayUntil = clock.now() + awayMs;
  try {
    const found = await send(directoryShard);
    it.awayUntil = 0;
    return found;
  } catch (error) {
    if (asAppError(error)?.status !== 503) throw error;
    it.awayUntil = clock.now() + awayMs;
    return send(copy);
  }
}

/** How long a write waits for a copied row that it refers to, in milliseconds, and the interval. */
const [copyMs, retryMs] = [3000, 20];

/**
 * Runs a write again while a row of a copied table that it refers to has not arrived on its shard.
 * The write must begin its own transaction.
 */
export async function awaitCopies<T>(work: () => Promise<T>): Promise<T> {
  if (!hasSeveralShards()) return work();
  const deadline = clock.now() + copyMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!lacksCopy(error) || clock.now() > deadline) throw error;
      await clock.pause(retryMs);
    }
  }
}

/** Whether the error is a foreign key's, of a table that refers to a copied one. */
function lacksCopy(error: unknown): boolean {
  const { code, message } = driverError(error);
  return code === "23503" && /_(app|key|endpoint)_id_fkey/.test(message);
}
