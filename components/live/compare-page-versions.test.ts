import { expect, test } from "vitest";
import { covers } from "./compare-page-versions";

/** Builds a version from one server. */
const version = (end: number | bigint, ...open: number[]) => `17-${end}-${open.join(",")}.3.0`;

test("considers a change shown if committed before the page was read", () => {
  expect(covers(version(12), version(12))).toBe(true);
  expect(covers(version(12), version(11))).toBe(true);
  expect(covers("17-12-.3.0", "17-12-.4.1")).toBe(true);
  expect(covers(version(9_007_199_254_740_993n), version(9_007_199_254_740_992n))).toBe(true);
});

test("considers a change not shown if committed after the page was read", () => {
  expect(covers(version(11), version(12))).toBe(false);
  expect(covers(version(9_007_199_254_740_992n), version(9_007_199_254_740_993n))).toBe(false);
  expect(covers(version(12, 10), version(12))).toBe(false);
  expect(covers(version(12, 10, 11), version(12, 11))).toBe(false);
});

test("ignores a transaction that was open in both snapshots", () => {
  expect(covers(version(12, 10), version(12, 10))).toBe(true);
  expect(covers(version(15, 10, 13), version(12, 10))).toBe(true);
});

test("considers a change not shown if the page version is from another server", () => {
  expect(covers("18-12-.3.0", "17-12-.3.0")).toBe(false);
  for (const other of ["", "0", "17-12", "undefined"]) expect(covers(version(12), other)).toBe(false);
});
