import { clock } from "@/lib/clock";
import { sql } from "@/lib/database/sql";
import { nextEvents } from "@/lib/events/event-sql-for-other-domains";
import { fanOut, hasActiveEndpoint, isAppEvent } from "./fan-out";

/**
 * Creates the deliveries for all events that the shard of the current work has recorded by now.
 * Must be called in work on one shard, before homes leave the shard, because their new shard
 * creates no deliveries for their earlier events.
 * @param withinMs how long to wait for open transactions, in milliseconds
 * @throws {Error} if some events could not be processed in time
 */
export async function finishFanOut(withinMs = 4000): Promise<void> {
  const until = clock.elapsed() + withinMs;
  const position = sql<{ end: string }>`
    SELECT event_place(pg_snapshot_xmax(pg_current_snapshot()))::text AS end`;
  const { end } = (await position.row())!;
  for (;;) {
    const { more } = await fanOut();
    if (!more && (await isPast(end))) return;
    if (clock.elapsed() > until) throw new Error("Could not create all webhook deliveries in time.");
    if (!more) await clock.pause(5);
  }
}

/** Whether no event before a transaction waits for its deliveries. */
async function isPast(end: string): Promise<boolean> {
  const isEarlier = sql`${isAppEvent} AND e.tx < ${end}::xid8`;
  const next = nextEvents(isEarlier, { tx: sql`c.tx`, id: sql`c.event_id` }, sql`1`);
  const row = await sql<{ past: boolean }>`
    SELECT NOT ${hasActiveEndpoint} OR c.tx >= ${end}::xid8
      OR event_horizon() >= ${end}::xid8 AND NOT EXISTS (${next}) AS past
    FROM webhook_cursor c
    WHERE c.id = 1`.row();
  return row?.past ?? true;
}
