import { expect, test, vi } from "vitest";
import { Batcher, type BatcherOptions } from "./batcher";
import type { Caller } from "./fair-queue";

/** Creates a batcher whose work ends when the test says so. */
function gathering(how: Partial<BatcherOptions<string, string>> = {}) {
  const begun: { items: readonly string[]; end: (error?: Error) => void }[] = [];
  const batcher = new Batcher<string, string>({
    concurrency: 1,
    maxBatch: { items: 4, bytes: 100 },
    timeoutMs: 1000,
    timeoutError: () => new Error("late"),
    acquire: async () => (items) =>
      new Promise((resolve, reject) =>
        begun.push({
          items,
          end: (error) => (error ? reject(error) : resolve(items.map((item) => item.toUpperCase()))),
        }),
      ),
    fairnessKey: (item) => item[0] ?? "",
    bytes: ({ length }) => length,
    ...how,
  });
  const ask = (item: string, caller?: Caller) => batcher.add(item, caller);
  return { begun, ask, all: (items: string[]) => Promise.all(items.map((item) => ask(item))) };
}
const next = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

test("batches items that arrive while another batch is running", async () => {
  const { begun, ask, all } = gathering();
  const first = all(["a1", "a2"]);
  await next();
  expect(begun.map(({ items }) => items)).toEqual([["a1", "a2"]]);
  const [second, third] = [ask("a3"), ask("a4")];
  await next();
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  expect(await first).toEqual(["A1", "A2"]);
  await next();
  expect(begun[1]?.items).toEqual(["a3", "a4"]);
  begun[1]?.end();
  expect(await Promise.all([second, third])).toEqual(["A3", "A4"]);
});

test("limits a batch by number of items and by bytes", async () => {
  const big = "b".repeat(60);
  const { begun, all } = gathering({ concurrency: 9 });
  const done = all(["a1", "a2", "a3", "a4", "a5", big, `${big}!`, "c".repeat(200)]);
  for (let at = 0; at < 5; at++) {
    await next();
    begun[at]?.end();
  }
  await done;
  const sizes = begun.map(({ items }) => items.reduce((sum, { length }) => sum + length, 0));
  expect(begun.flatMap(({ items }) => items)).toHaveLength(8);
  for (const { items } of begun) expect(items.length).toBeLessThanOrEqual(4);
  expect(sizes.filter((size) => size > 100)).toEqual([200]);
});

test("alternates items among owners", async () => {
  const { begun, all } = gathering();
  const done = all(["a1", "a2", "a3", "a4", "a5", "a6", "b1", "c1"]);
  await next();
  expect([...(begun[0]?.items ?? [])].sort()).toEqual(["a1", "a2", "b1", "c1"]);
  begun[0]?.end();
  await next();
  expect(begun[1]?.items).toEqual(["a3", "a4", "a5", "a6"]);
  begun[1]?.end();
  await done;
});

test("puts items with the same key into different batches", async () => {
  const { begun, all } = gathering({ uniqueKey: (item) => item.slice(1) });
  const done = all(["a1", "b1", "a2", "c1"]);
  await next();
  expect(begun[0]?.items).toEqual(["a1", "a2"]);
  begun[0]?.end();
  await next();
  expect(begun[1]?.items).toEqual(["b1"]);
  begun[1]?.end();
  await next();
  begun[2]?.end();
  expect(await done).toEqual(["A1", "B1", "A2", "C1"]);
});

test("fails only the items of a failed batch", async () => {
  const { begun, ask } = gathering();
  const failing = ask("a1");
  await next();
  const other = ask("a2");
  begun[0]?.end(new Error("lost"));
  await expect(failing).rejects.toThrow("lost");
  await next();
  begun[1]?.end();
  expect(await other).toBe("A2");
});

test("returns the outcome of each item to its caller", async () => {
  const begin = async () => async (items: readonly string[]) =>
    items.map((item) => (item === "a2" ? Promise.reject(new Error("a2 alone")) : Promise.resolve(item)));
  const { ask } = gathering({ acquire: begin });
  const [first, second] = [ask("a1"), ask("a2")];
  await expect(second).rejects.toThrow("a2 alone");
  expect(await first).toBe("a1");
});

test("fails items that were waiting when a batch failed to begin", async () => {
  let fail = (_: Error) => {};
  let times = 0;
  const begin = () => {
    if (times++ > 0) return Promise.resolve(async (items: readonly string[]) => items);
    return new Promise<never>((_, reject) => (fail = reject));
  };
  vi.useFakeTimers({ toFake: ["performance"] });
  const { ask } = gathering({ acquire: begin });
  const [first, second] = [ask("a1"), ask("a2")];
  await next();
  vi.advanceTimersByTime(1);
  const third = ask("a3");
  fail(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect(second).rejects.toThrow("away");
  expect(await third).toBe("a3");
  vi.useRealTimers();
});

test("begins another batch while a batch is blocked", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const { begun, ask } = gathering();
  const held = ask("a1");
  await next();
  const second = ask("a2");
  await next();
  expect(begun).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(251);
  expect(begun[1]?.items).toEqual(["a2"]);
  begun[1]?.end();
  expect(await second).toBe("A2");
  begun[0]?.end();
  expect(await held).toBe("A1");

  const stuck = gathering({ acquire: () => new Promise(() => {}) });
  const late = expect(stuck.ask("a1")).rejects.toThrow("late");
  await next();
  const later = expect(stuck.ask("a2")).rejects.toThrow("late");
  await vi.advanceTimersByTimeAsync(1500);
  await Promise.all([late, later]);
  vi.useRealTimers();
});

test("removes a waiting item when its caller disconnects", async () => {
  const { begun, ask } = gathering({ left: () => new Error("left") });
  const first = ask("a1", { destroyed: false });
  await next();
  const caller = { destroyed: false };
  const left = expect(ask("a2", caller)).rejects.toThrow("left");
  const [stays, background] = [ask("a3", { destroyed: false }), ask("b1")];
  caller.destroyed = true;
  begun[0]?.end();
  await left;
  await next();
  expect(begun[1]?.items).toEqual(["b1", "a3"]);
  begun[1]?.end();
  expect(await Promise.all([first, stays, background])).toEqual(["A1", "A3", "B1"]);
});

test("begins an empty batch when every caller disconnected", async () => {
  const { begun, ask } = gathering({ left: () => new Error("left") });
  await Promise.all(["a1", "b1"].map((item) => expect(ask(item, { destroyed: true })).rejects.toThrow("left")));
  await next();
  expect(begun.map(({ items }) => items)).toEqual([[]]);
  begun[0]?.end();
});
