import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { aQuestion } from "@/lib/testing/sample-question";
import { readVectors } from "@/lib/testing/signed-answers/vectors";
import { type Content, contentHash } from "./content-hash";

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

  it("hashes the fields, whose keys may have any order", async () => {
    const amount = { type: "object", format: "money", currency: "EUR", default: { currency: "EUR", amount: "86.40" } };
    const rate = { type: "number", minimum: 1e-6, maximum: 1e15, default: 0.1 + 0.2 };
    const asked = {
      ...question,
      fields: { type: "object", required: ["rate"], properties: { rate, Zebra: { type: "boolean" }, amount } },
      options: [
        { label: "Pay", id: "pay", fields: true },
        { id: "no", label: "No", fields: false },
      ],
    };
    const text =
      '{"fields":{"properties":{"Zebra":{"type":"boolean"},"amount":{"currency":"EUR","default":{"amount":"86.40","currency":"EUR"},"format":"money","type":"object"},' +
      '"rate":{"default":0.30000000000000004,"maximum":1000000000000000,"minimum":0.000001,"type":"number"}},"required":["rate"],"type":"object"},' +
      '"options":[{"fields":true,"id":"pay","label":"Pay"},{"id":"no","label":"No"}],"question":"Ship?"}';
    expect(await contentHash(asked)).toBe(sha(text));
  });

  it("hashes once only if it is true", async () => {
    const text =
      '{"facts":[{"label":"A","value":"1"}],"once":true,"options":[{"id":"yes","label":"Yes"}],"question":"Ship?"}';
    const asked = { question: "Ship?", facts: [{ label: "A", value: "1" }], options: [{ id: "yes", label: "Yes" }] };
    expect(await contentHash({ ...asked, once: true })).toBe(sha(text));
    expect(await contentHash({ ...asked, once: false })).toBe(await contentHash(asked));
  });

  it.each(readVectors().contents.map((it) => [it.name, it] as const))(
    "computes the same hash as every client for content with %s",
    async (_, { content, canonical }) => {
      expect(await contentHash(content as Content)).toBe(sha(canonical));
    },
  );

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
