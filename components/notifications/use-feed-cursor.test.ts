import { expect, test } from "vitest";
import { rowAfter } from "./use-feed-cursor";

const rows = ["a", "b", "c", "d"].map((slot) => ({ slot }));
const after = (current: string, ...gone: string[]) =>
  rowAfter(rows, rows.find(({ slot }) => slot === current) ?? { slot: "" }, new Set(gone))?.slot;

test("goes to the next row that stays", () => {
  expect([after("b", "b"), after("b", "b", "c")]).toEqual(["c", "d"]);
});

test("goes to the row before the end of the list when none follows", () => {
  expect([after("d", "d"), after("c", "b", "c", "d")]).toEqual(["c", "a"]);
});

test("goes nowhere when no row is left", () => {
  expect(after("a", "a", "b", "c", "d")).toBeUndefined();
});
