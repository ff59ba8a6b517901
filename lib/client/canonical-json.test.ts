import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json";

describe("canonical JSON", () => {
  it.each([
    // Examples from RFC 8785, sections 3.2.2 and 3.2.3, and appendix B.
    [
      // biome-ignore lint/correctness/noPrecisionLoss: it is the RFC's.
      { numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 1e-27] },
      '{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
    ],
    [{ string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\u002f" }, '{"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'],
    [{ literals: [null, true, false] }, '{"literals":[null,true,false]}'],
    [
      { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
    [-0, "0"],
    [9007199254740991, "9007199254740991"],
    ["\u2028\u2029\u007f", '"\u2028\u2029\u007f"'],
    [{ b: undefined, a: [] }, '{"a":[]}'],
  ])("serializes %j as canonical JSON", (value, text) => expect(canonicalJson(value)).toBe(text));

  it.each([["\ud83d"], ["\ude00x"], [Number.NaN], [Number.POSITIVE_INFINITY], [() => 1], [1n]])(
    "rejects %o in canonical JSON",
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    },
  );
});
