import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loop } from "./loop";
import { endTimers, every, later, runningTimers } from "./timer-registry";

beforeEach(() => {
  vi.useFakeTimers();
  (globalThis as { countersign?: Map<string, unknown> }).countersign?.delete("timers");
});
afterEach(() => void vi.useRealTimers());

test("counts a timer as running until it fires", async () => {
  const work = vi.fn();
  later(100, work);
  expect(runningTimers()).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledOnce();
  expect(runningTimers()).toBe(0);
});

test("repeats work until the timer is canceled", async () => {
  const work = vi.fn();
  const cancel = every(100, work);
  await vi.advanceTimersByTimeAsync(350);
  expect(work).toHaveBeenCalledTimes(3);
  cancel();
  expect(runningTimers()).toBe(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(3);
});

test("does not count a timer that is canceled before or after firing", async () => {
  const work = vi.fn();
  later(100, work)();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).not.toHaveBeenCalled();
  const cancel = later(100, work);
  await vi.advanceTimersByTimeAsync(1000);
  cancel();
  expect(runningTimers()).toBe(0);
});

test("waits for running loops before ending all timers", async () => {
  const work = vi.fn();
  later(100, work);
  every(100, work);
  let end = () => {};
  loop({ first: 0, intervalMs: 100, failureMessage: "", run: () => new Promise<void>((resolve) => (end = resolve)) });
  expect(runningTimers()).toBe(3);
  const ended = vi.fn();
  const ending = endTimers().then(ended);
  await vi.advanceTimersByTimeAsync(1000);
  expect(ended).not.toHaveBeenCalled();
  end();
  await ending;
  expect(runningTimers()).toBe(0);
  later(100, work);
  every(100, work);
  loop({ first: 0, intervalMs: 100, failureMessage: "", run: async () => work() }).wake();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).not.toHaveBeenCalled();
  expect(runningTimers()).toBe(0);
});
