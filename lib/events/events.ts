import { literal, type Sql, sql } from "@/lib/database/sql";
import { affects, type Change } from "./change";
import type { eventDescriptions } from "./descriptions";

/*
 * An event is a fact, recorded in the change in which it happened, which announces it after the commit, so that open pages
 * look; a lost announcement costs time and never truth. A new type is its sentence in `words.ts`, which the Activity page
 * reads, and, if apps are told of it, a line in `lib/event-feed/event-types.ts`.
 *
 * Apps read events in the order of (`tx`, `id`), and only those below `event_horizon()`: ids come from a sequence inside
 * transactions that may commit the other way round, so a reader that goes by `id` alone would skip some. It does not wait for
 * transactions that stay open without an event (`pass-over.ts`). Write nothing into `tx`. Both also hold after a dump was restored (`continue-order.ts`).
 */

/** What can happen: whatever `words.ts` has words for. */
export type EventType = keyof typeof eventDescriptions;

export type NewEvent = {
  ownerId: string;
  appId?: string;
  type: EventType;
  /** The id of what it concerns. */
  subject: string;
  /** Whatever else a reader of the activity page should know. Never a secret. */
  data?: Record<string, string | number | boolean | string[]>;
};

/** Write down what just happened, in the change in which it happened. The owners' open pages look once it is committed. */
export async function record(tx: Change, ...events: NewEvent[]): Promise<void> {
  await tx.event.createMany({ data: events.map(({ data = {}, ...event }) => ({ ...event, data })) });
  for (const { ownerId } of events) affects(tx, ownerId);
}

/** The beginning of a statement that writes events down, followed by a SELECT of these columns. */
export const intoEvents: Sql = sql`INSERT INTO event (owner_id, app_id, type, subject, data)`;

/** Write down, as a CTE, one event about each row of `from`, a CTE or table with owner_id, app_id and id. */
export const recorded = (type: EventType, from: Sql, data: Sql = sql`'{}'::jsonb`): Sql =>
  sql`recorded AS (${intoEvents} SELECT owner_id, app_id, ${literal(type)}, id, ${data} FROM ${from})`;
