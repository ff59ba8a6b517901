import { expect, test } from "vitest";
import type { Measured, Sample } from "./rounds";
import { ahead, growth, median } from "./statistics";

const sample = (perSecond: number, node: number, postgres: number, p99: number): Sample => ({
  ...{ perSecond, node, postgres, p99 },
  ...{ p50: 1, p95: 1, delay: 0, errors: 0, requests: 1 },
});
const measured = (size: number, ours: Sample[], theirs: Sample[]): Measured => ({
  ...{ operation: "get", connections: 32, tokens: 1, size },
  samples: new Map([
    ["ours", ours],
    ["theirs", theirs],
  ]),
});

test("computes the median of numbers in any order", () => {
  expect(median([10, 9, 100])).toBe(10);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBe(0);
});

test("computes the median of the per-round ratios between two servers", () => {
  // The machine was twice as slow in the second round, and busy in the third.
  const one = measured(
    1_000,
    [sample(200, 50, 50, 10), sample(100, 60, 60, 20), sample(10, 100, 100, 90)],
    [sample(100, 100, 100, 30), sample(50, 120, 120, 60), sample(100, 50, 50, 5)],
  );
  expect(ahead(one, "ours", "theirs")).toEqual({ perSecond: 2, cost: 2, p99: 3 });
  expect(ahead(one, "theirs", "ours")).toEqual({ perSecond: 0.5, cost: 0.5, p99: 1 / 3 });
});

test("computes how much a larger table reduces throughput and increases cost", () => {
  const small = measured(1_000, [sample(120, 50, 50, 1)], [sample(100, 50, 50, 1)]);
  const large = measured(1_000_000, [sample(100, 60, 90, 1)], [sample(100, 50, 50, 1)]);
  expect(growth(small, large, "ours")).toEqual({ perSecond: 1.2, cost: 1.5 });
  expect(growth(small, large, "theirs")).toEqual({ perSecond: 1, cost: 1 });
});
