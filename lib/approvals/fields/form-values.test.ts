import { expect, test } from "vitest";
import type { Fields } from "./field-schema";
import { amountFrom, controlName, valuesFromForm } from "./form-values";

const fields: Fields = {
  type: "object",
  properties: {
    amount: { type: "object", format: "money", currency: "EUR" },
    text: { type: "string" },
    count: { type: "integer" },
    express: { type: "boolean" },
    notify: { type: "array", items: { type: "string", enum: ["mail", "phone"] } },
    lines: {
      type: "object",
      format: "items",
      items: [
        { id: "a", label: "A" },
        { id: "b", label: "B" },
      ],
    },
  },
};

test("reads each control of a form", () => {
  const typed = {
    [controlName("amount")]: " 86,4 ",
    [controlName("text")]: " kept\nhere ",
    [controlName("count")]: "12",
    [controlName("express")]: "true",
    [controlName("notify", 1)]: "phone",
    [controlName("lines", "a")]: "approve",
    [controlName("lines", "b")]: "reject",
    "field.other": "x",
  };
  expect(valuesFromForm(fields, typed)).toEqual({
    amount: { amount: "86.40", currency: "EUR" },
    text: " kept\nhere ",
    count: 12,
    express: true,
    notify: ["phone"],
    lines: { a: "approve", b: "reject" },
  });
});

test("omits empty controls, and keeps invalid texts for the error", () => {
  expect(valuesFromForm(fields, { "field.amount": "", "field.text": "  ", "field.count": "" })).toEqual({ notify: [] });
  expect(valuesFromForm(fields, { "field.count": "many", "field.amount": "a lot" })).toMatchObject({
    count: "many",
    amount: { amount: "a lot" },
  });
});

test("accepts no choice unless the field requires one", () => {
  const items = { type: "string" as const, enum: ["mail", "phone"] };
  const notify = (minItems: number) =>
    valuesFromForm({ type: "object", properties: { notify: { type: "array", items, minItems } } }, {});
  expect([notify(0), notify(1)]).toEqual([{ notify: [] }, {}]);
});

test.each<[string, number | string]>([
  ["12", 12],
  ["12,5", 12.5],
  ["0,125", 0.125],
  ["−5", -5],
  ["-0", 0],
  ["1000.5", 1000.5],
  ["1,000", "1,000"],
  ["12 000", "12 000"],
  ["0x10", "0x10"],
  ["1e3", "1e3"],
  ["Infinity", "Infinity"],
])("reads the number %s as %s", (text, value) => {
  expect(valuesFromForm(fields, { "field.count": text })).toEqual({ count: value, notify: [] });
});

test.each([
  ["86", "EUR", "86.00"],
  ["86,4", "EUR", "86.40"],
  ["086.40", "EUR", "86.40"],
  ["1 000", "EUR", "1000.00"],
  ["−5", "EUR", "-5.00"],
  ["-0", "EUR", "0.00"],
  ["86", "JPY", "86"],
  ["86.4", "JPY", "86.4"],
  ["1.234", "EUR", "1.234"],
  ["1,000.00", "EUR", "1,000.00"],
  ["1,000", "KWD", "1,000"],
  ["1,00", "KWD", "1.000"],
  ["1e3", "EUR", "1e3"],
])("completes the amount %s in %s to %s", (text, currency, amount) => {
  expect(amountFrom(text, currency)).toBe(amount);
});
