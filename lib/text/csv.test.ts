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
  ["\n=1", "\"'\n'=1\""],
  ["＝1", "'＝1"],
  ["a=1", "a=1"],
  ["x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"],
  ["a; -1;b;@SUM(A1)", "a;' -1;b;'@SUM(A1)"],
  ["x\t=1", "x\t'=1"],
  ['x";=1', '"x"";\'=1"'],
  ["=1;=2", "'=1;'=2"],
  ["one;\n=1", "\"one;'\n'=1\""],
  ["one\n=1\r\n-2+3", "\"one\n'=1\r\n'-2+3\""],
  ["one\n- two\n- three\n--\nRobin", '"one\n- two\n- three\n--\nRobin"'],
  ['x;"=1"', '"x;\'""=1"""'],
  ["x;＝1", "x;'＝1"],
  ["\tx", "'\tx"],
  ["a; b - c; 3+4", "a; b - c; 3+4"],
])("writes the text %j as the CSV cell %j", (text, cell) => {
  expect(csvLine(["x", text])).toBe(`x,${cell}\r\n`);
});
