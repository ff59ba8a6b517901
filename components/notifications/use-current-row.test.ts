import { expect, test } from "vitest";
import { rowAfter } from "./use-current-row";

const rows = ["a", "b", "c", "d"].map((slot) => ({ slot }));
const after = (current: string, ...gone: string[]) =>
  rowAfter(rows, rows.find(({ slot }) => slot === current) ?? { slot: "" }, new Set(gone))?.slot;

test("moves the cursor to the next remaining row when the current row is removed", () => {
  expect([after("b", "b"), after("b", "b", "c")]).toEqual(["c", "d"]);
});

test("moves the cursor to the previous row if no later row remains", () => {
  expect([after("d", "d"), after("c", "b", "c", "d")]).toEqual(["c", "a"]);
});

test("clears the cursor when no row remains", () => {
  expect(after("a", "a", "b", "c", "d")).toBeUndefined();
});
