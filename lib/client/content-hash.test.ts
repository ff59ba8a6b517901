import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { aQuestion } from "@/lib/testing/sample-question";
import { canonicalJson } from "./canonical-json";
import { contentHash } from "./content-hash";

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

const question = {
  question: "Ship?",
  options: [
    { id: "no", label: "No" },
    { note: "Now", label: "Yes", id: "yes" },
  ],
};
const sha = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

describe("content hash", () => {
  it("ignores the order of a question's fields", async () => {
    const text = '{"options":[{"id":"no","label":"No"},{"id":"yes","label":"Yes","note":"Now"}],"question":"Ship?"}';
    expect(await contentHash(question)).toBe(sha(text));
  });

  it("ignores absent fields and fields set by the service", async () => {
    const record = { ...question, _id: "apr_x", status: "pending", clientId: "app_x", contentHash: "x" };
    expect(await contentHash({ ...record, ownerOnly: false, additions: [], recommendation: undefined })).toBe(
      await contentHash(question),
    );
  });

  it("computes the same hash as version 1.0 for content without facts", async () => {
    const old = "sha256:d4018122bda266e3431208bba5ab72ce384ea7d16eeea4e040dfd5e3a2624da1";
    expect(await contentHash(aQuestion)).toBe(old);
    expect(await contentHash({ ...aQuestion, facts: [] })).toBe(old);
  });

  it("hashes all content that an owner may see", async () => {
    const whole = {
      ...question,
      backgroundContext: "",
      recommendation: "no",
      expiresAt: 1795000000000,
      defaultOptionId: "no",
      facts: [{ value: "86.40 €", label: "Amount" }],
      ownerOnly: true,
      risk: "high",
      options: [{ style: "danger", id: "no", label: "No" }, ...question.options.slice(1)],
      additions: [{ text: "More", createdAt: 1795000000001, by: "app" }],
    };
    const text =
      '{"additions":[{"createdAt":1795000000001,"text":"More"}],"backgroundContext":"","defaultOptionId":"no","expiresAt":1795000000000,"facts":[{"label":"Amount","value":"86.40 €"}],' +
      '"options":[{"id":"no","label":"No","style":"danger"},{"id":"yes","label":"Yes","note":"Now"}],"ownerOnly":true,"question":"Ship?","recommendation":"no","risk":"high"}';
    expect(await contentHash(whole)).toBe(sha(text));
  });
});
