import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { env } from "@/lib/config/env";
import { pool } from "@/lib/database/db";
import { newId, newOwnerId } from "@/lib/ids";
import { settled } from "@/lib/testing/await-event-horizon";
import { statementsWith } from "@/lib/testing/spied-sql-statements";
import { closePubsub, publish, subscribe } from "./pubsub";
import { type AppEvent, watch, watchers } from "./watch-app-events";

// Waits until the connection that listens to PostgreSQL is open, because opening it makes every
// watcher read again.
beforeAll(async () => {
  let stop = () => {};
  await new Promise<void>((resolve) => {
    stop = subscribe("own_first", () => resolve());
  });
  stop();
});
afterAll(closePubsub);
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.restoreAllMocks();
});

const aPlace = () => ({ ownerId: newOwnerId(), appId: newId("app") });
type Of = ReturnType<typeof aPlace>;

/** Starts a watcher, and waits until it is ready. */
async function watching({ ownerId, appId }: Of, ordered = false) {
  const heard: AppEvent[] = [];
  let looks = 0;
  const stop = watch(ownerId, appId, { ordered, onEvent: (what) => heard.push(what), onReady: () => looks++ });
  stops.push(stop);
  await expect.poll(() => looks).toBeGreaterThan(0);
  return { heard, subjects: () => heard.map(({ subject }) => subject), looks: () => looks, stop };
}

type Queryable = Pick<pg.ClientBase, "query">;
const happen = (by: Queryable, { ownerId }: Of, appId: string | null, subject: string, type = "approval.resolved") =>
  by.query("INSERT INTO event (owner_id, app_id, type, subject) VALUES ($1, $2, $3, $4)", [
    ...[ownerId, appId, type, subject],
  ]);

async function aTransaction() {
  const client = new pg.Client({ connectionString: env().databaseUrl });
  await client.connect();
  await client.query("BEGIN");
  return { client, commit: () => client.query("COMMIT").finally(() => client.end()) };
}

test("receives only events of the given owner and app", async () => {
  const [place, other] = [aPlace(), aPlace()];
  await happen(pool(), place, place.appId, "before");
  await settled();
  const { heard, subjects } = await watching(place);
  await happen(pool(), place, place.appId, "mine");
  await happen(pool(), place, other.appId, "another app's");
  await happen(pool(), other, place.appId, "another owner's");
  await happen(pool(), place, null, "the owner's own", "owner.signed_in");
  await happen(pool(), place, null, "an account", "integration.status_changed");
  publish(place.ownerId);
  await expect.poll(subjects).toEqual(expect.arrayContaining(["mine", "an account"]));
  expect(new Set(subjects())).toEqual(new Set(["mine", "an account"]));
  expect(heard[0]).toMatchObject({ type: "approval.resolved" });
});

test("receives every event when transactions commit in reverse order", async () => {
  const place = aPlace();
  const [atOnce, inOrder] = [await watching(place), await watching(place, true)];
  const first = await aTransaction();
  await happen(first.client, place, place.appId, "first");
  await happen(pool(), place, place.appId, "second");
  publish(place.ownerId);
  await expect.poll(atOnce.subjects).toContain("second");
  // An ordered watcher does not receive the second event while the first could still appear before
  // it.
  publish(place.ownerId);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(inOrder.heard).toEqual([]);
  // No message is published when an event becomes settled.
  await first.commit();
  await expect.poll(inOrder.subjects).toEqual(expect.arrayContaining(["first", "second"]));
  expect(inOrder.heard.every(({ settled }) => settled)).toBe(true);
  expect(inOrder.heard).toHaveLength(2);
  publish(place.ownerId);
  await expect.poll(atOnce.subjects).toContain("first");
});

test("checks all of an owner's watchers with one SQL statement", async () => {
  const { ownerId } = aPlace();
  const places = Array.from({ length: 20 }, () => ({ ownerId, appId: newId("app") }));
  const all = await Promise.all(places.flatMap((place) => Array.from({ length: 100 }, () => watching(place))));
  expect(watchers()).toBe(2_000);
  const asked = vi.spyOn(pool(), "query");
  const looks = () => statementsWith("AS horizon", asked).length;
  await happen(pool(), places[7] as Of, places[7]?.appId ?? "", "one answer");
  publish(ownerId);
  await expect.poll(() => all.filter(({ heard }) => heard.length > 0).length).toBe(100);
  expect(looks()).toBe(1);
  // However many changes occur in a burst, at most one statement runs at a time.
  for (let at = 0; at < 500; at++) publish(ownerId);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(looks()).toBeLessThan(20);
  for (const { stop } of all) stop();
  expect(watchers()).toBe(0);
});

test("wakes every watcher after a broken connection", async () => {
  const place = aPlace();
  const seen = await watching(place);
  const before = seen.looks();
  await pool().query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign listen' AND datname LIKE current_database() || '%'",
  );
  await expect.poll(seen.looks).toBeGreaterThan(before);
  await happen(pool(), place, place.appId, "after");
  publish(place.ownerId);
  await expect.poll(seen.subjects).toContain("after");
});
