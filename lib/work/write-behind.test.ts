import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "@/lib/log";
import { writeBehind } from "./write-behind";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const problem = "it was not written";
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("combines pending changes into one write", async () => {
  const write = vi.fn(async (_all: boolean) => false);
  const { markDirty } = writeBehind({ every: 1000, problem, write });
  markDirty();
  await pass(999);
  markDirty();
  expect(write).not.toHaveBeenCalled();
  await pass(1);
  expect(write.mock.calls).toEqual([[false]]);
  await pass(10_000);
  expect(write).toHaveBeenCalledTimes(1);
  markDirty();
  await pass(1000);
  expect(write).toHaveBeenCalledTimes(2);
});

test("writes again until no changes remain", async () => {
  const left = [true, true, false];
  const write = vi.fn(async () => left.shift() ?? false);
  writeBehind({ every: 1000, problem, write }).markDirty();
  await pass(10_000);
  expect(write).toHaveBeenCalledTimes(3);
});

test("flushes all changes after the current write", async () => {
  const ends: ((left: boolean) => void)[] = [];
  const write = vi.fn((_all: boolean) => new Promise<boolean>((resolve) => ends.push(resolve)));
  const { markDirty, flush } = writeBehind({ every: 1000, problem, write });
  markDirty();
  await pass(1000);
  markDirty();
  const flushed = vi.fn();
  void flush().then(flushed);
  await pass(5000);
  expect(write.mock.calls).toEqual([[false]]);
  ends.shift()?.(false);
  await pass(0);
  expect(write.mock.calls).toEqual([[false], [true]]);
  expect(flushed).not.toHaveBeenCalled();
  ends.shift()?.(false);
  await pass(0);
  expect(flushed).toHaveBeenCalledOnce();
});

test("retries a failed write without throwing", async () => {
  const warn = vi.spyOn(log, "warn").mockReturnValue();
  let away = true;
  const write = vi.fn(async () => {
    if (away) throw new Error("away");
    return false;
  });
  const { flush } = writeBehind({ every: 1000, problem, write });
  await flush();
  await pass(2000);
  expect(write).toHaveBeenCalledTimes(3);
  expect(warn.mock.calls).toEqual([[problem, { reason: "Error: away" }]]);
  away = false;
  await pass(5000);
  expect(write).toHaveBeenCalledTimes(4);
});
