import { hasExpiredAnswers, removeExpiredAnswers } from "@/lib/approvals/thread/answers-past-retention";
import { sql } from "@/lib/database/sql";
import { change } from "@/lib/events/change-transaction";
import * as expired from "@/lib/events/expired-events";
import { eventCutoff, readRetention } from "@/lib/events/retention-policy";
import { ownersWith } from "@/lib/owners/owner-sql-for-other-domains";
import { counter } from "@/lib/telemetry/declare-metrics";
import { hasUnprocessedBefore } from "@/lib/webhooks/fan-out";
import { addToArchive } from "./archive";

const retired = counter(
  "countersign_retired_rows_total",
  "Rows deleted after their retention time, by kind. For deleted partitions, the number of rows is an estimate.",
  "what",
);

/** The maximum time to write one part of an archive, in milliseconds. */
const timeout = 30_000;

/**
 * Removes rows older than the operator's retention period, in batches. Each row is added to its
 * owner's archive first, and nothing is removed while old events still lack their webhook
 * deliveries. Several instances can run this function at the same time.
 * @returns the approximate number of removed rows
 */
export async function applyRetention(stopping: AbortSignal = new AbortController().signal): Promise<number> {
  const { events, answered } = await readRetention();
  let gone = 0;
  if (answered !== null) gone += await retireAnswers(stopping);
  if (events !== null) gone += await retireEvents(stopping);
  return gone;
}

const isBehind = async (moment = eventCutoff) =>
  (await sql<{ yes: boolean }>`SELECT ${hasUnprocessedBefore(moment)} AS yes`.row())?.yes === true;

async function retireAnswers(stopping: AbortSignal): Promise<number> {
  let gone = 0;
  // Removes nothing while events older than a day still lack webhook deliveries, because their
  // payloads are built from these rows.
  if (await isBehind(sql`now() - interval '1 day'`)) return 0;
  for (let owners = await next(); owners.length > 0 && !stopping.aborted; owners = await next()) {
    const before = gone;
    for (const { id: ownerId } of owners) {
      if (stopping.aborted) break;
      const removed = await change(
        { ownerId },
        async (tx) => {
          const lines = await removeExpiredAnswers(tx, ownerId);
          if (lines.length > 0) await addToArchive(tx, ownerId, "answers", lines);
          return lines.length;
        },
        { timeout },
      );
      retired(["answers"], removed);
      gone += removed;
    }
    // Another instance is processing the remaining rows.
    if (gone === before) break;
  }
  return gone;
}

const next = () => ownersWith(hasExpiredAnswers, 500).rows();

async function retireEvents(stopping: AbortSignal): Promise<number> {
  if (await isBehind()) return 0;
  while (!stopping.aborted) {
    const old = await expired.nextExpired();
    if (!old) break;
    for (const ownerId of old.owners) await archiveAll(ownerId, old);
    await expired.noteArchived(old);
  }
  let gone = 0;
  for (let some = 1; some > 0 && !stopping.aborted; gone += some) {
    some = await expired.removeExpiredBatch();
    retired(["events"], some);
  }
  return gone;
}

async function archiveAll(ownerId: string, old: expired.ExpiredRange) {
  for (let more = true; more; ) {
    more = await change(
      null,
      async (tx) => {
        const lines = await expired.archiveEvents(tx, ownerId, old);
        return lines.length > 0 && (await addToArchive(tx, ownerId, "activity", lines));
      },
      { timeout },
    );
  }
}
