import { afterAll, expect, test } from "vitest";
import { pool } from "@/lib/db";
import { announce, drainHub, onDrain, subscribe } from "./hub";

afterAll(drainHub);

/** Count what one owner's listener hears. */
function listener(ownerId: string) {
  const heard = { times: 0, stop: () => {} };
  heard.stop = subscribe(ownerId, () => heard.times++);
  return heard;
}

/** As another copy of the service tells it. */
const fromAnotherCopy = (ownerId: string) =>
  pool().query("SELECT pg_notify('countersign_news', 'another ' || $1)", [ownerId]);

/** Listening begins behind the first subscription, and tells everybody to look once it holds. */
const listening = (heard: { times: number }) => expect.poll(() => heard.times).toBeGreaterThan(0);

test("news is heard at once on this copy, only by its owner, and no more after stopping", async () => {
  const [mine, other] = [listener("own_mine"), listener("own_other")];
  await listening(mine);
  const before = { mine: mine.times, other: other.times };
  announce("own_mine");
  expect(mine.times).toBe(before.mine + 1);
  expect(other.times).toBe(before.other);
  mine.stop();
  const after = mine.times;
  announce("own_mine");
  expect(mine.times).toBe(after);
  other.stop();
});

test("news of another copy is heard through Postgres", async () => {
  const heard = listener("own_far");
  await fromAnotherCopy("own_far");
  await expect.poll(() => heard.times).toBeGreaterThan(0);
  heard.stop();
});

test("what this copy told is not news to it again when Postgres brings it back", async () => {
  const heard = listener("own_once");
  await fromAnotherCopy("own_once");
  await listening(heard);
  const before = heard.times;
  announce("own_once");
  // Sent after the gathered NOTIFY, so it arrives after it.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await fromAnotherCopy("own_once");
  await expect.poll(() => heard.times).toBe(before + 2);
  heard.stop();
});

test("after the listening connection broke, everybody looks again, and later news is heard", async () => {
  const heard = listener("own_cut");
  await fromAnotherCopy("own_cut");
  await listening(heard);
  await pool().query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign listen' AND datname = current_database()",
  );
  const cut = heard.times;
  await expect.poll(() => heard.times, { timeout: 5_000 }).toBeGreaterThan(cut);
  const remade = heard.times;
  await fromAnotherCopy("own_cut");
  await expect.poll(() => heard.times).toBeGreaterThan(remade);
  heard.stop();
});

test("draining ends every stream, also one that opens late", async () => {
  let ended = 0;
  onDrain(() => ended++);
  const withdraw = onDrain(() => ended++);
  withdraw();
  await drainHub();
  expect(ended).toBe(1);
  onDrain(() => ended++);
  expect(ended).toBe(2);
});
