import { afterAll, expect, test, vi } from "vitest";
import { pool } from "@/lib/database/db";
import { closePubsub, notifyHealth, onDrain, probeNotify, publish, subscribe } from "./pubsub";
import { messages } from "./shard-messages";

afterAll(closePubsub);

/** Subscribes a listener for an owner, and counts its calls. */
function listener(ownerId: string) {
  const heard = { times: 0, stop: () => {} };
  heard.stop = subscribe(ownerId, () => heard.times++);
  return heard;
}

/** Publishes as another instance would. */
const fromAnotherCopy = (ownerId: string) =>
  pool().query("SELECT pg_notify('countersign_news', 'another ' || $1)", [ownerId]);

/**
 * Waits until this instance listens. Its connection opens after the first subscription, and every
 * listener is then called.
 */
const listening = (heard: { times: number }) => expect.poll(() => heard.times).toBeGreaterThan(0);

/**
 * Stops this instance's listener without an error, as happens when a pooler reassigns the session.
 */
const goDeaf = () => messages.of(0).client?.query("UNLISTEN *");

test("checks every minute for lost messages", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const heard = listener("own_minute");
  await listening(heard);
  await goDeaf();
  const before = heard.times;
  vi.advanceTimersByTime(60_000);
  await expect
    .poll(() => {
      vi.advanceTimersByTime(1000);
      return heard.times;
    })
    .toBeGreaterThan(before);
  vi.useRealTimers();
  const late = said.mock.calls.filter(([line]) =>
    String(line).includes("changes from other instances may be up to 20 seconds late"),
  );
  said.mockRestore();
  expect(late).toHaveLength(1);
  Object.assign(notifyHealth(), { lost: 0 });
  heard.stop();
});

test("calls only the affected owner's listener, until the listener unsubscribes", async () => {
  const [mine, other] = [listener("own_mine"), listener("own_other")];
  await fromAnotherCopy("own_mine");
  await listening(mine);
  const before = { mine: mine.times, other: other.times };
  publish("own_mine");
  expect(mine.times).toBe(before.mine + 1);
  expect(other.times).toBe(before.other);
  mine.stop();
  const after = mine.times;
  publish("own_mine");
  expect(mine.times).toBe(after);
  other.stop();
});

test("receives changes from another instance through PostgreSQL", async () => {
  const heard = listener("own_far");
  await fromAnotherCopy("own_far");
  await expect.poll(() => heard.times).toBeGreaterThan(0);
  heard.stop();
});

test("ignores the instance's own messages when PostgreSQL sends them back", async () => {
  const heard = listener("own_once");
  await fromAnotherCopy("own_once");
  await listening(heard);
  const before = heard.times;
  publish("own_once");
  // This message is sent after the batched NOTIFY, so it arrives last.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await fromAnotherCopy("own_once");
  await expect.poll(() => heard.times).toBe(before + 2);
  heard.stop();
});

test("calls every listener after a reconnect", async () => {
  const heard = listener("own_cut");
  await fromAnotherCopy("own_cut");
  await listening(heard);
  await pool().query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign listen' AND datname LIKE current_database() || '%'",
  );
  const cut = heard.times;
  await expect.poll(() => heard.times).toBeGreaterThan(cut);
  const remade = heard.times;
  await fromAnotherCopy("own_cut");
  await expect.poll(() => heard.times).toBeGreaterThan(remade);
  heard.stop();
});

test("reconnects to PostgreSQL after a lost message", async () => {
  const heard = listener("own_deaf");
  await fromAnotherCopy("own_deaf");
  await listening(heard);
  await probeNotify();
  expect(notifyHealth()).toEqual({ roundTripMs: expect.any(Number), lost: 0 });
  await goDeaf();
  const before = heard.times;
  await expect(probeNotify(50)).rejects.toThrow(/was lost; point DATABASE_DIRECT_URL at PostgreSQL, not at a pooler/);
  expect(notifyHealth()).toEqual({ roundTripMs: undefined, lost: 1 });
  await expect.poll(() => heard.times).toBeGreaterThan(before);
  await probeNotify();
  expect(notifyHealth()).toEqual({ roundTripMs: expect.any(Number), lost: 1 });
  heard.stop();
});

test("calls drain callbacks, except withdrawn callbacks, when the service begins to drain", async () => {
  let ended = 0;
  onDrain(() => ended++);
  const withdraw = onDrain(() => ended++);
  withdraw();
  await closePubsub();
  expect(ended).toBe(1);
  onDrain(() => ended++);
  expect(ended).toBe(2);
});
