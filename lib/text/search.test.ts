import { expect, test } from "vitest";
import { searchFor } from "./search";

test.each([
  ["ship", ["Ship it?"], true],
  ["SHIP it", ["It is a ship"], true],
  ["zürich", ["ZÜRICH"], true],
  ["ａｂｃ", ["abc"], true],
  ["ship boat", ["Ship it?", "no"], false],
  ["ship boat", ["Ship it?", "boat"], true],
  ["pboat", ["ship", "boat"], false],
  [".*", ["anything"], false],
  ["", ["anything"], true],
])("finds %j in %j: %s", (typed, said, found) => {
  expect(searchFor(typed)(said)).toBe(found);
});
