import { expect, test } from "vitest";
import { emptyValues } from "./empty-values";

test("prefers the use of a statement that has the fewest empty values", () => {
  const uses = [
    [null, []],
    ["a", null],
    ["a", ["b"]],
    [undefined, "b"],
  ];
  expect(uses.sort((a, b) => (emptyValues(a) < emptyValues(b) ? -1 : 1))).toEqual([
    ["a", ["b"]],
    ["a", null],
    [undefined, "b"],
    [null, []],
  ]);
});
