import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { retry } from "./retry";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("retries a failed attempt after each delay", async () => {
  const failed = vi.fn();
  let count = 0;
  const work = vi.fn(async () => {
    if (++count < 3) throw new Error(`failure ${count}`);
    return "done";
  });
  const result = retry(work, [100, 500, 1000], failed);
  await vi.advanceTimersByTimeAsync(599);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toBe("done");
  expect(failed.mock.calls.map(([error]) => error.message)).toEqual(["failure 1", "failure 2"]);
});

test("throws the failure of the last attempt", async () => {
  const failed = vi.fn();
  const work = vi.fn(() => Promise.reject(new Error("away")));
  const result = expect(retry(work, [100, 200], failed)).rejects.toThrow("away");
  await vi.advanceTimersByTimeAsync(300);
  await result;
  expect(work).toHaveBeenCalledTimes(3);
  expect(failed).toHaveBeenCalledTimes(2);
});
