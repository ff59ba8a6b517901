import { expect, test } from "vitest";
import { searchFor } from "./record-search";

test.each([
  ["matches", "ship", ["Ship it?"]],
  ["matches", "SHIP it", ["It is a ship"]],
  ["matches", "zürich", ["ZÜRICH"]],
  ["matches", "ａｂｃ", ["abc"]],
  ["does not match", "ship boat", ["Ship it?", "no"]],
  ["matches", "ship boat", ["Ship it?", "boat"]],
  ["does not match", "pboat", ["ship", "boat"]],
  ["does not match", ".*", ["anything"]],
  ["matches", "", ["anything"]],
])("%s the search %j with the texts %j", (result, typed, said) => {
  expect(searchFor(typed)(said)).toBe(result === "matches");
});
