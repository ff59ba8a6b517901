import { expect, it } from "vitest";
import { NewFields } from "@/lib/approvals/fields/schema";
import { parseFields, valueLines } from "./ask-fields";

it("reads each type of field", () => {
  const fields = parseFields([
    "amount=money:EUR:86.40",
    "limit?=money:JPY",
    "when=date:2026-12-01",
    "at=date-time:2026-12-01T18:30:00Z",
    "express=boolean:false",
    "count=integer:3",
    "rate=number:0.5",
    "note?=text:a=b: c",
    "account=choice:giro|savings",
    "notify=choices:mail|phone",
  ]);
  expect(fields).toEqual({
    type: "object",
    properties: {
      amount: { type: "object", format: "money", currency: "EUR", default: { amount: "86.40", currency: "EUR" } },
      limit: { type: "object", format: "money", currency: "JPY" },
      when: { type: "string", format: "date", default: "2026-12-01" },
      at: { type: "string", format: "date-time", default: "2026-12-01T18:30:00Z" },
      express: { type: "boolean", default: false },
      count: { type: "integer", default: 3 },
      rate: { type: "number", default: 0.5 },
      note: { type: "string", default: "a=b: c" },
      account: { type: "string", enum: ["giro", "savings"] },
      notify: { type: "array", items: { type: "string", enum: ["mail", "phone"] } },
    },
    required: ["amount", "when", "at", "express", "count", "rate", "account", "notify"],
  });
  expect(NewFields.safeParse(fields).success).toBe(true);
  expect(parseFields([])).toBeUndefined();
});

it.each([
  "amount",
  "amount=",
  "amount=money",
  "amount=money:eur:1.00",
  "a b=text",
  "=text",
  "express=boolean:maybe",
  "count=integer:three",
  "account=choice",
  "account=choice:|",
  "when=day",
])("rejects the field %s", (given) => {
  expect(() => parseFields([given])).toThrow("--field must have the form NAME=TYPE");
});

it("rejects two fields with the same name", () => {
  expect(() => parseFields(["a=text", "a=date"])).toThrow("Two fields have the name a.");
});

it("writes each value on one line", () => {
  const lines = valueLines({
    amount: { amount: "80.00", currency: "EUR" },
    when: "2026-12-01",
    express: true,
    count: 3,
    note: "one\nexpress=false",
    notify: ["mail", "phone"],
    rows: { rent: "approve", power: "reject" },
  });
  expect(lines).toEqual([
    "amount=80.00 EUR",
    "when=2026-12-01",
    "express=true",
    "count=3",
    'note="one\\nexpress=false"',
    "notify=mail|phone",
    'rows={"rent":"approve","power":"reject"}',
  ]);
  expect(valueLines(undefined)).toEqual([]);
});
