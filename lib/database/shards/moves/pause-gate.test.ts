import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asAppError } from "@/lib/errors";
import { type Home, homeCount } from "../homes";
import { setPlacement, shardOfHome, UnusableShard } from "../shard-map";
import { enter, passing, untilHomesResumed, watchPauses } from "./pause-gate";

const shards = [
  { number: 0, name: "main" },
  { number: 1, name: "two" },
  { number: 2, name: "three" },
];
const home = (number: number) => ({ home: number as Home });

/** Uses a placement in which homes from 512 are on the shard two, and some are paused. */
function place({ paused = [] as number[], moved = [] as number[] } = {}): Promise<void> {
  const homes = Uint8Array.from({ length: homeCount }, (_, at) => (at >= 512 || moved.includes(at) ? 1 : 0));
  const pausedShards = new Set(paused.length > 0 ? [0, 1] : []);
  return setPlacement({ shards, homes, paused: new Set(paused), pausedShards, version: 1 });
}

/** Work that runs until the test ends it. */
function openWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

/** Returns whether a promise is settled after everything that is ready has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => void (settled = true);
  promise.then(note, note);
  for (let nth = 0; nth < 5; nth++) await turn();
  return settled;
}

beforeEach(() => {
  watchPauses();
  return place();
});
afterEach(async () => {
  vi.useRealTimers();
  await setPlacement();
});

test("holds the work of paused homes until the pause ends", async () => {
  await place({ paused: [17] });
  const held = enter(home(17), () => shardOfHome(17 as Home));
  expect(await isSettled(held)).toBe(false);
  // The placement changes, but the pause goes on.
  await place({ paused: [17], moved: [17] });
  expect(await isSettled(held)).toBe(false);
  await place({ moved: [17] });
  expect(await held).toBe(1);
});

test("runs the work of other homes and of the service during a pause", async () => {
  await place({ paused: [17] });
  expect(await enter(home(18), () => "other home")).toBe("other home");
  expect(await enter({ shard: 2 }, () => "other shard")).toBe("other shard");
  expect(await enter("service", () => "service")).toBe("service");
  expect(await enter(undefined, () => "none")).toBe("none");
});

test.each([0, 1])("holds work on the whole shard %i, between which and another one homes move", async (shard) => {
  await place({ paused: [17] });
  const held = enter({ shard }, () => "done");
  expect(await isSettled(held)).toBe(false);
  await place();
  expect(await held).toBe("done");
});

test.each([home(17), { shard: 0 }])("confirms a pause only after the running work of %j has ended", async (to) => {
  const { work, end } = openWork();
  const running = enter(to, work);
  const confirmed = place({ paused: [17] });
  expect(await isSettled(confirmed)).toBe(false);
  end();
  await Promise.all([running, confirmed]);
});

test.each([home(18), { shard: 1 }, { shard: 2 }])("confirms a pause while the work of %j is running", async (to) => {
  const { work, end } = openWork();
  const running = enter(to, work);
  await place({ paused: [17] });
  end();
  await running;
});

test("confirms a pause after failed work, too", async () => {
  const { work, end } = openWork();
  const failing = enter(home(17), async () => {
    await work();
    throw new Error("failed");
  });
  const confirmed = place({ paused: [17] });
  end();
  await expect(failing).rejects.toThrow("failed");
  await confirmed;
});

test("stops waiting for running work once the placement has changed again", async () => {
  const { work, end } = openWork();
  const running = enter(home(17), work);
  const confirmed = place({ paused: [17] });
  await place();
  await confirmed;
  end();
  await running;
});

test("runs the statements of work that entered before the pause", async () => {
  const { work, end } = openWork();
  const running = enter(home(17), async () => {
    await work();
    await untilHomesResumed([17 as Home]);
    return enter(home(17), () => "second statement");
  });
  const confirmed = place({ paused: [17] });
  end();
  expect(await running).toBe("second statement");
  await confirmed;
});

test("holds the statements for a paused home of work that entered for another one", async () => {
  const { work, end } = openWork();
  const running = enter(home(600), async () => {
    await work();
    return enter(home(17), () => "second statement");
  });
  await place({ paused: [17] });
  end();
  expect(await isSettled(running)).toBe(false);
  await place();
  expect(await running).toBe("second statement");
});

test("holds the statements that work starts and that outlive it", async () => {
  const { work, end } = openWork();
  const late = await enter(home(17), () => ({ sent: work().then(() => enter(home(17), () => "late")) }));
  await place({ paused: [17] });
  end();
  expect(await isSettled(late.sent)).toBe(false);
  await place();
  expect(await late.sent).toBe("late");
});

test("runs the mover's own work during a pause", async () => {
  await place({ paused: [17] });
  expect(await passing(() => enter(home(17), () => "passed"))).toBe("passed");
});

test("waits for each of several homes", async () => {
  await place({ paused: [17, 600] });
  const resumed = untilHomesResumed([3, 17, 600] as Home[]);
  await place({ paused: [600] });
  expect(await isSettled(resumed)).toBe(false);
  await place();
  await resumed;
});

test("returns 503 for work that a pause holds for too long", async () => {
  await place({ paused: [17] });
  vi.useFakeTimers();
  const ran = vi.fn();
  const held = enter(home(17), ran).catch((error) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  const error = await held;
  expect(error).toBeInstanceOf(UnusableShard);
  expect(asAppError(error)?.status).toBe(503);
  expect(ran).not.toHaveBeenCalled();
});

test("holds nothing with one shard", async () => {
  await setPlacement();
  const { work, end } = openWork();
  const running = enter(home(17), work);
  await setPlacement();
  end();
  await running;
});
