import { expect, test } from "vitest";
import { db, type Transaction } from "./db";
import { onceMore } from "./once-more";

test("two transactions that wait for each other are both done: the one that PostgreSQL ended is done once more", async () => {
  await db.$executeRaw`INSERT INTO throttle (key, failures, expires_at) VALUES ('a', 0, now()), ('b', 0, now())`;
  const add = (tx: Transaction, key: string) =>
    tx.$executeRaw`UPDATE throttle SET failures = failures + 1 WHERE key = ${key}`;
  let [began, waiting] = [0, 2];
  let bothHold = () => {};
  const both = new Promise<void>((resolve) => (bothHold = resolve));
  const crossing = (first: string, second: string) =>
    db.$transaction(async (tx) => {
      began++;
      await add(tx, first);
      if (--waiting === 0) bothHold();
      await both;
      await add(tx, second);
    });
  await Promise.all([crossing("a", "b"), crossing("b", "a")]);
  expect(began).toBe(3);
  expect(await db.throttle.findMany({ where: { key: { in: ["a", "b"] }, failures: 2 } })).toHaveLength(2);
});

test("what fails again, or otherwise, is told as it is", async () => {
  let times = 0;
  const failing = (code: string) => () => {
    times++;
    return Promise.reject(Object.assign(new Error(code), { code }));
  };
  await expect(onceMore(failing("40001"))).rejects.toThrow("40001");
  expect(times).toBe(2);
  await expect(onceMore(failing("23505"))).rejects.toThrow("23505");
  expect(times).toBe(3);
});
