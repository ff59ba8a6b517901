import { expect, test, vi } from "vitest";
import { coalesce } from "./coalesce-calls";

const next = () => new Promise<void>((resolve) => setImmediate(resolve));

function sharing() {
  const shared = coalesce<number>(2, 250);
  const ends: (() => void)[] = [];
  let fail: ((error: Error) => void) | undefined;
  const ask = (key: string) =>
    shared(key, () => {
      const nth = ends.length;
      return new Promise<number>((resolve, reject) => {
        ends.push(() => resolve(nth));
        fail = reject;
      });
    });
  return { ask, ends, fail: (error: Error) => fail?.(error) };
}

test("shares one run among equal calls made before the run begins", async () => {
  const { ask, ends } = sharing();
  const [first, second, other] = [ask("a"), ask("a"), ask("b")];
  await next();
  expect(ends).toHaveLength(2);
  const third = ask("a");
  await next();
  expect(ends).toHaveLength(3);
  for (const end of ends) end();
  expect(await Promise.all([first, second, other, third])).toEqual([0, 0, 1, 2]);
});

test("combines calls made during two runs into one run", async () => {
  const { ask, ends } = sharing();
  const begun = [ask("a")];
  await next();
  begun.push(ask("a"));
  await next();
  const [third, fourth] = [ask("a"), ask("a")];
  await next();
  expect(ends).toHaveLength(2);
  ends[0]?.();
  await begun[0];
  expect(ends).toHaveLength(3);
  ends[1]?.();
  ends[2]?.();
  expect(await Promise.all([third, fourth])).toEqual([2, 2]);
});

test("waits at most a quarter of a second for an earlier run", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { ask, ends, fail } = sharing();
  void ask("a");
  await next();
  void ask("a");
  await next();
  const third = [ask("a"), ask("a")];
  await vi.advanceTimersByTimeAsync(251);
  expect(ends).toHaveLength(3);
  vi.useRealTimers();
  fail(new Error("lost"));
  for (const it of third) await expect(it).rejects.toThrow("lost");
  const later = ask("a");
  await next();
  ends[0]?.();
  await next();
  ends[3]?.();
  expect(await later).toBe(3);
});

test("reports a disconnect only after all callers have disconnected", async () => {
  const shared = coalesce<boolean>(2, 250);
  const callers = [{ destroyed: true }, { destroyed: false }];
  const isLeft = async (key: string, ...all: ({ destroyed: boolean } | undefined)[]) => {
    const [first] = await Promise.all(all.map((caller) => shared(key, async ({ destroyed }) => destroyed, caller)));
    return first;
  };
  expect(await isLeft("a", ...callers)).toBe(false);
  expect(await isLeft("b", callers[0], undefined)).toBe(false);
  expect(await isLeft("c", callers[0], callers[0])).toBe(true);
});
