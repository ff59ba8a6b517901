import { expect, test } from "vitest";
import { liftOver } from "./use-toast-lift";

const box = { top: 700, bottom: 740 };

test("moves a toast above a bar that would cover it", () => {
  expect(liftOver(box, { edge: 720, foot: 800 }, 800)).toBe(28);
  expect(liftOver(box, { edge: 745, foot: 800 }, 800)).toBe(3);
});

test("keeps a toast in place when no bar overlaps it", () => {
  expect(liftOver(box, { edge: Number.POSITIVE_INFINITY, foot: 0 }, 800)).toBe(0);
  expect(liftOver(box, { edge: 748, foot: 800 }, 800)).toBe(0);
  expect(liftOver(box, { edge: 600, foot: 690 }, 800)).toBe(0);
});

test("ignores a bar that starts in the top quarter of the page", () => {
  expect(liftOver(box, { edge: 200, foot: 800 }, 800)).toBe(0);
});
