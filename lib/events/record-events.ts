import { literal, type Sql, sql } from "@/lib/database/sql";
import { affects, type Change } from "./change-transaction";
import type { eventDescriptions } from "./event-descriptions";

/*
 * An event is a fact, recorded in the transaction in which it happened. The commit publishes only
 * the owner, and pages read the state again, so a lost message delays a page and never corrupts it.
 * A new type needs its sentence in `event-descriptions.ts`. If apps receive it, it also needs an
 * entry in `lib/event-feed/event-types.ts`.
 *
 * Apps read events ordered by (`tx`, `id`), and only below `event_horizon()`. IDs are assigned
 * before the commit, and transactions commit in any order, so a reader of `id` alone would skip
 * some. The horizon passes transactions that stay open without an event
 * (`skip-idle-transactions.ts`), and stays correct after a restore (`restore-offset.ts`). Write
 * nothing into `tx`.
 */

/** All event types: the keys of `eventDescriptions`. */
export type EventType = keyof typeof eventDescriptions;

export type NewEvent = {
  ownerId: string;
  appId?: string;
  type: EventType;
  /** The ID of the event's subject. */
  subject: string;
  /** Further data for the Activity page. Never a secret. */
  data?: Record<string, string | number | boolean | string[]>;
};

/** Records events in a change. The commit notifies their owners' open pages. */
export async function record(tx: Change, ...events: NewEvent[]): Promise<void> {
  await tx.event.createMany({ data: events.map(({ data = {}, ...event }) => ({ ...event, data })) });
  for (const { ownerId } of events) affects(tx, ownerId);
}

/** Begins a statement that records events. A SELECT of these columns follows. */
export const intoEvents: Sql = sql`INSERT INTO event (owner_id, app_id, type, subject, data)`;

/**
 * Returns a CTE that records one event for each row of `from`, a CTE or table with owner_id, app_id
 * and id.
 */
export const recorded = (type: EventType, from: Sql, data: Sql = sql`'{}'::jsonb`): Sql =>
  sql`recorded AS (
    ${intoEvents}
    SELECT owner_id, app_id, ${literal(type)}, id, ${data}
    FROM ${from}
  )`;
