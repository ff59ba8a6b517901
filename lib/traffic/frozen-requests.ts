import type { AppActor } from "@/lib/actor";
import { empty, type Sql, sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";
import { processSingleton } from "@/lib/work/process-singleton";
import { writeBehind } from "@/lib/work/write-behind";
import { writeByOwner } from "./write-by-owner";

/*
 * Before unfreezing, the owner sees what each app tried during the freeze. The requests are counted
 * in memory and written every two seconds, so a request in a loop costs nothing but its rejection.
 */
const flushEveryMs = 2_000;
/** The maximum number of counters in memory. */
const maxCounters = 5_000;

type Counter = { ownerId: string; appId: string; operation: string; count: number };

const counters = processSingleton("frozen requests", () => new Map<string, Counter>());
const writing = processSingleton("recording frozen requests", () =>
  writeBehind({
    every: flushEveryMs,
    problem: "could not record requests of frozen apps; the service will retry",
    write: writeAll,
  }),
);

/** Counts a request that was rejected because its app is frozen. Sends no query. */
export function countFrozenRequest({ admitted }: AppActor, operation: string): void {
  if (!admitted) return;
  const { ownerId, appId } = admitted;
  add({ ownerId, appId, operation, count: 1 });
  writing().markDirty();
}

function add(counter: Counter) {
  const all = counters();
  const key = `${counter.ownerId} ${counter.appId} ${counter.operation}`;
  const before = all.get(key);
  if (before) before.count += counter.count;
  else if (all.size < maxCounters) all.set(key, counter);
}

/** Writes all counts now. Never throws. */
export const flushFrozenRequests = (): Promise<void> => writing().flush();

async function writeAll(): Promise<boolean> {
  const all = [...counters().values()];
  counters().clear();
  await writeByOwner(
    all,
    ({ ownerId }) => ownerId,
    write,
    (some) => some.forEach(add),
  );
  return false;
}

/** Writes counters, sorted, so that instances lock the rows in the same order. */
const write = (some: Counter[]) =>
  sql`
      INSERT INTO frozen_request (owner_id, app_id, operation, count)
      SELECT r."ownerId", r."appId", r.operation, r.count
      FROM json_to_recordset(${JSON.stringify(some)}::"json")
          AS r("ownerId" text, "appId" text, operation text, count int)
        JOIN live_grant g ON g.owner_id = r."ownerId" AND g.app_id = r."appId"
      ORDER BY 1, 2, 3
      ON CONFLICT (owner_id, app_id, operation) DO UPDATE SET
        count = least(frozen_request.count::bigint + excluded.count, 2000000000)`.run();

/** SQL: what the owner's frozen apps tried, by app and operation, as far as it is written. */
export const frozenRequestsOf = (ownerId: string): Sql => sql`(
  SELECT app_id, operation, count FROM frozen_request WHERE owner_id = ${ownerId}
)`;

/**
 * Deletes the counts of an owner's apps.
 * @param appId the app, or "" for all apps
 * @param except the apps whose counts stay
 */
export const clearFrozenRequests = (tx: Change, ownerId: string, appId: string, except: string[]) =>
  sql`
    DELETE FROM frozen_request
    WHERE owner_id = ${ownerId}
      AND NOT app_id = ANY (${except}::text[]) ${appId === "" ? empty : sql`AND app_id = ${appId}`}`.run(tx);
