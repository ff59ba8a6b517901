import { expect, test } from "vitest";
import { slopeOf } from "./linear-fit";

test("computes a fitted line's slope and the slope's standard error", () => {
  const line = slopeOf([1, 2, 3, 4].map((x) => [x, 5 * x + 7]));
  expect(line.perUnit).toBeCloseTo(5);
  expect(line.error).toBeCloseTo(0);
  // Calculated by hand. The residuals are 1, -1, -1 and 1 around y = 10, over n - 2 = 2 and a
  // spread of 5.
  const noisy = slopeOf([1, 2, 3, 4].map((x, at) => [x, 10 + (at === 0 || at === 3 ? 1 : -1)]));
  expect(noisy.perUnit).toBeCloseTo(0);
  expect(noisy.error).toBeCloseTo(Math.sqrt(4 / 2 / 5));
});
