import { expect, test } from "vitest";
import { readTraceparent } from "./trace-context";

const [trace, span] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];

test("reads the trace, the caller's span and the sampling flag", () => {
  expect(readTraceparent(`00-${trace}-${span}-01`)).toEqual({ traceId: trace, spanId: span, sampled: true });
  expect(readTraceparent(`00-${trace}-${span}-00`)?.sampled).toBe(false);
  // Only the lowest bit is the sampled flag.
  expect(readTraceparent(`00-${trace}-${span}-fe`)?.sampled).toBe(false);
  expect(readTraceparent(`cc-${trace}-${span}-01-what-the-future-holds`)?.traceId).toBe(trace);
});

test.each([
  undefined,
  ["00"],
  "",
  "00",
  `ff-${trace}-${span}-01`,
  `00-${trace}-${span}-01-more`,
  `00-${trace}-${span}-1`,
  `00-${"0".repeat(32)}-${span}-01`,
  `00-${trace}-${"0".repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  // Node.js joins two headers like this.
  `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
  `cc-${trace}-${span}-01-a,cc-${trace}-${span}-01`,
  `cc-${trace}-${span}-01-${"x".repeat(512)}`,
])("rejects the trace header %j", (header) => {
  expect(readTraceparent(header)).toBeUndefined();
});
