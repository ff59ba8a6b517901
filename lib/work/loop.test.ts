import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "@/lib/log";
import { loop } from "./loop";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const end of underWay.splice(0)) end();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Functions that end the unfinished runs of a test. */
const underWay: (() => void)[] = [];
const problem = "the work was not done";
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Creates work that ends when a test ends it, and that counts its runs. */
function slowWork() {
  const ends: (() => void)[] = [];
  const run = vi.fn(
    (_stopping: AbortSignal) => new Promise<void>((resolve) => void [ends, underWay].map((all) => all.push(resolve))),
  );
  return { run, end: () => ends.shift()?.() };
}

test("begins a run one interval after the previous run ends", async () => {
  const { run, end } = slowWork();
  loop({ intervalMs: 100, failureMessage: problem, run });
  await pass(99);
  expect(run).not.toHaveBeenCalled();
  await pass(1);
  expect(run).toHaveBeenCalledTimes(1);
  await pass(1000);
  expect(run).toHaveBeenCalledTimes(1);
  end();
  await pass(99);
  expect(run).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(run).toHaveBeenCalledTimes(2);
});

test("reads a loop's interval after each run", async () => {
  const pauses = [10, 40, 1000];
  const run = vi.fn(async () => {});
  loop({ first: 0, intervalMs: () => pauses.shift() ?? 0, failureMessage: problem, run });
  expect(run).toHaveBeenCalledTimes(1);
  await pass(10);
  expect(run).toHaveBeenCalledTimes(2);
  await pass(39);
  expect(run).toHaveBeenCalledTimes(2);
  await pass(1);
  expect(run).toHaveBeenCalledTimes(3);
});

test("begins a run immediately after a wake-up", async () => {
  const { run, end } = slowWork();
  const { wake } = loop({ intervalMs: 1000, cooldownMs: 20, failureMessage: problem, run });
  wake();
  expect(run).toHaveBeenCalledTimes(1);
  wake();
  wake();
  end();
  await pass(10);
  wake();
  await pass(9);
  expect(run).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(run).toHaveBeenCalledTimes(2);
  end();
  await pass(1019);
  expect(run).toHaveBeenCalledTimes(2);
  await pass(1);
  expect(run).toHaveBeenCalledTimes(3);
});

test("coalesces a burst of wake-ups into one run", async () => {
  const run = vi.fn(async () => {});
  const { wake } = loop({ intervalMs: 3000, debounceMs: 150, failureMessage: problem, run });
  for (let at = 0; at < 14; at++) {
    wake();
    await pass(10);
  }
  expect(run).not.toHaveBeenCalled();
  await pass(10);
  expect(run).toHaveBeenCalledTimes(1);
  await pass(2999);
  expect(run).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(run).toHaveBeenCalledTimes(2);
});

test("runs only on a wake-up if no interval is set", async () => {
  const run = vi.fn(async () => {});
  const { wake } = loop({ failureMessage: problem, run });
  await pass(100_000);
  expect(run).not.toHaveBeenCalled();
  wake();
  await pass(100_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test("logs a repeated failure only once before the next success", async () => {
  const warn = vi.spyOn(log, "warn").mockReturnValue();
  let away = true;
  const run = vi.fn(async () => {
    if (away) throw new Error("away");
  });
  const { wake } = loop({ intervalMs: 1000, backoffMs: 500, failureMessage: problem, about: { chore: "sweep" }, run });
  wake();
  await pass(1);
  wake();
  await pass(498);
  expect(run).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(run).toHaveBeenCalledTimes(2);
  expect(warn.mock.calls).toEqual([[problem, { chore: "sweep", reason: "Error: away" }]]);
  away = false;
  await pass(1500);
  expect(run).toHaveBeenCalledTimes(3);
  away = true;
  await pass(1500);
  expect(warn).toHaveBeenCalledTimes(2);
});

test("waits for the current run when a loop stops", async () => {
  const { run, end } = slowWork();
  let tell = () => {};
  const deaf = vi.fn();
  const { stop, wake } = loop({
    intervalMs: 100,
    subscribe: (listener) => {
      tell = listener;
      return deaf;
    },
    failureMessage: problem,
    run,
  });
  tell();
  expect(run).toHaveBeenCalledTimes(1);
  const stopped = vi.fn();
  void stop().then(stopped);
  expect(run.mock.calls[0]?.[0].aborted).toBe(true);
  expect(deaf).toHaveBeenCalledOnce();
  await pass(1000);
  expect(stopped).not.toHaveBeenCalled();
  end();
  await pass(0);
  expect(stopped).toHaveBeenCalledOnce();
  tell();
  wake();
  await pass(1000);
  expect(run).toHaveBeenCalledTimes(1);
});
