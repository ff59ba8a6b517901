import { expect, test } from "vitest";
import { csvLine } from "./csv";

test.each([
  ["plain", "plain"],
  ["", ""],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["  =cmd|' /C calc'!A0", "'  =cmd|' /C calc'!A0"],
  ["\n=1", '"\'\n=1"'],
  ["＝1", "'＝1"],
  ["a=1", "a=1"],
])("%j is the cell %j", (text, cell) => {
  expect(csvLine(["x", text])).toBe(`x,${cell}\r\n`);
});
