import { expect, test } from "vitest";
import { concurrencyLimiter } from "./concurrency-limiter";

test("limits concurrent slots per holder and in total", () => {
  const take = concurrencyLimiter({ all: 3, site: 2, asker: 2 });
  const leave = take({ site: "a", asker: "x" });
  expect(take({ site: "a", asker: "y" })).toBeTypeOf("function");
  // The site "a" has used its share, and "b" has not.
  expect(take({ site: "a", asker: "z" })).toBeUndefined();
  expect(take({ site: "b", asker: undefined })).toBeTypeOf("function");
  expect(take({ site: "c" })).toBeUndefined();
  leave?.();
  expect(take({ site: "a", asker: "x" })).toBeTypeOf("function");
});

test("releases a slot only once", () => {
  const take = concurrencyLimiter({ all: 2, owner: 1 });
  const leave = take({ owner: "one" });
  expect(take({ owner: "one" })).toBeUndefined();
  expect(take({ owner: "two" })).toBeTypeOf("function");
  leave?.();
  leave?.();
  expect(take({ owner: "one" })).toBeTypeOf("function");
  expect(take({ owner: "three" })).toBeUndefined();
});
