import { expect, test } from "vitest";
import { type BatchRules, type Caller, FairQueue } from "./fair-queue";

/** Creates a queue of words. The owner of a word is its first letter. */
function aQueue(rules: Partial<BatchRules<string>> = {}) {
  const queue = new FairQueue<string, { item: string; since: number; caller?: Caller }>({
    maxBatch: { items: 3, bytes: 100 },
    bytes: ({ length }) => length,
    ...rules,
  });
  let now = 0;
  const add = (...items: string[]) => {
    for (const item of items) queue.add(item[0] ?? "", { item, since: ++now });
  };
  const take = () => queue.takeBatch().batch.map(({ item }) => item);
  return { queue, add, take };
}

test("takes one item per owner in rotation", () => {
  const { queue, add, take } = aQueue();
  add("a1", "a2", "a3", "b1");
  expect(take()).toEqual(["a1", "b1", "a2"]);
  expect([take(), take(), queue.size]).toEqual([["a3"], [], 0]);
});

test("serves all other owners before an owner is served again", () => {
  const { add, take } = aQueue({ maxBatch: { items: 1, bytes: 100 } });
  add("a1", "a2", "b1", "c1");
  expect([take(), take(), take(), take()]).toEqual([["a1"], ["b1"], ["c1"], ["a2"]]);
});

test("limits a batch by bytes, except for a single item", () => {
  const { add, take } = aQueue({ maxBatch: { items: 9, bytes: 5 } });
  add("a-large-item", "b1", "c1", "d1");
  expect([take(), take(), take()]).toEqual([["a-large-item"], ["b1", "c1"], ["d1"]]);
});

test("does not measure the size of a single item", () => {
  const bytes = () => expect.unreachable("measured");
  const { add, take } = aQueue({ bytes });
  add("a1");
  expect(take()).toEqual(["a1"]);
});

test("keeps a second item with the same key for the next batch", () => {
  const { add, take } = aQueue({ uniqueKey: (item) => item.slice(1) });
  add("a1", "b1", "b2");
  expect([take(), take()]).toEqual([["a1", "b2"], ["b1"]]);
});

test("ignores disconnected callers' items in the batch limit", () => {
  const { queue, add } = aQueue({ maxBatch: { items: 2, bytes: 100 } });
  queue.add("a", { item: "a0", since: 0, caller: { destroyed: true } });
  add("a1", "b1");
  const { batch, withdrawn } = queue.takeBatch();
  expect(batch.map(({ item }) => item)).toEqual(["b1", "a1"]);
  expect(withdrawn.map(({ item }) => item)).toEqual(["a0"]);
  expect(queue.size).toBe(0);
});

test("removes items that arrived before a given time", () => {
  const { queue, add, take } = aQueue();
  expect(queue.oldest()).toBe(Number.POSITIVE_INFINITY);
  add("a1", "b1", "a2");
  expect(queue.oldest()).toBe(1);
  expect(queue.removeUntil(2).map(({ item }) => item)).toEqual(["a1", "b1"]);
  expect([queue.size, queue.oldest(), take()]).toEqual([1, 3, ["a2"]]);
});
