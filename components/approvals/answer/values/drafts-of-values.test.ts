import { expect, test } from "vitest";
import type { Fields } from "@/lib/approvals/fields/field-schema";
import { draftsOf } from "./drafts-of-values";

const fields: Fields = {
  type: "object",
  properties: {
    amount: { type: "object", format: "money", currency: "EUR" },
    text: { type: "string" },
    count: { type: "integer" },
    express: { type: "boolean" },
    notify: { type: "array", items: { type: "string", enum: ["mail", "phone"] } },
    lines: { type: "object", format: "items", items: [{ id: "a", label: "A" }] },
    valueOf: { type: "string" as const },
  },
};

test("returns the draft of each control for the values of an answer", () => {
  const values = {
    amount: { amount: "80.00", currency: "EUR" },
    text: "one\ntwo",
    count: 0,
    express: true,
    notify: ["phone"],
    lines: { a: "reject" },
  };
  expect(draftsOf(fields, values)).toEqual({
    "field.amount": "80.00",
    "field.text": "one\ntwo",
    "field.count": "0",
    "field.express=true": "yes",
    "field.notify.0=mail": "no",
    "field.notify.1=phone": "yes",
    "field.lines.a": "reject",
    "field.valueOf": "",
  });
});

test("empties the controls of fields without a value", () => {
  expect(draftsOf(fields, {})).toEqual({
    "field.amount": "",
    "field.text": "",
    "field.count": "",
    "field.express=true": "no",
    "field.notify.0=mail": "no",
    "field.notify.1=phone": "no",
    "field.valueOf": "",
  });
});
