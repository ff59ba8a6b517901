import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "@/lib/client/canonical-json";
import { detailsOf } from "@/lib/text/validate";
import { checkValues } from "./checked-values";
import type { Fields } from "./field-schema";
import { valueProblem } from "./field-values";
import { amountProblem, compareAmounts, decimalsOf } from "./money";
import { NewFields } from "./schema";

const fields = (properties: object, required?: string[]) =>
  ({ type: "object", properties, ...(required && { required }) }) as Fields;
/** The problems of a schema as "path: message". */
const problems = (given: unknown): string[] => {
  const read = NewFields.safeParse(given);
  return read.success ? [] : detailsOf(NewFields, read.error).map(({ path, message }) => `${path}: ${message}`);
};

const invoice = fields(
  {
    amount: {
      type: "object",
      format: "money",
      title: "Amount",
      currency: "EUR",
      minimum: "0.01",
      maximum: "500.00",
      default: { amount: "86.40", currency: "EUR" },
    },
    when: { type: "string", format: "date", title: "Pay on", default: "2026-12-01" },
    account: {
      type: "string",
      oneOf: [
        { const: "g", title: "Giro" },
        { const: "s", title: "Savings" },
      ],
    },
    notify: { type: "array", items: { type: "string", enum: ["mail", "phone"] }, minItems: 1 },
    retries: { type: "integer", minimum: 0, maximum: 3, default: 1 },
    rate: { type: "number", minimum: 0.5 },
    express: { type: "boolean", default: false },
    lines: {
      type: "object",
      format: "items",
      items: [
        { id: "a", label: "Rent" },
        { id: "b", label: "Power", note: "Two months" },
      ],
    },
  },
  ["amount", "lines"],
);
const whole = {
  amount: { amount: "80.00", currency: "EUR" },
  when: "2026-12-02",
  account: "g",
  notify: ["phone"],
  retries: 0,
  rate: 0.5,
  express: true,
  lines: { a: "approve", b: "reject" },
};

describe("a question's fields", () => {
  it("accepts every kind of field", () => {
    expect(problems(invoice)).toEqual([]);
    expect(checkValues(invoice, whole)).toEqual(whole);
    expect(checkValues(invoice, { amount: whole.amount, lines: whole.lines, when: null })).toEqual({
      amount: whole.amount,
      lines: whole.lines,
    });
  });

  it.each<[string, unknown, string]>([
    ["no field", fields({}), "properties: Must have 1 to 20 fields"],
    ["a nested object", fields({ a: { type: "object", properties: {} } }), "properties.a.format"],
    ["an unknown type", fields({ a: { type: "null" } }), "properties.a.type"],
    ["a name that is no word", fields({ "a b": { type: "string" } }), "properties.a b"],
    [
      "names that differ only by case",
      fields({ a: { type: "string" }, A: { type: "string" } }),
      "differ by more than case",
    ],
    ["the name constructor", fields({ constructor: { type: "string" } }), "Must be another name"],
    ["an unknown required name", fields({ a: { type: "string" } }, ["b"]), "required: There is no field b"],
    [
      "titles that look alike",
      fields({ a: { type: "string", title: "Pay" }, b: { type: "string", title: "Рay" } }),
      "look alike",
    ],
    ["contradicting bounds", fields({ a: { type: "number", minimum: 2, maximum: 1 } }), "properties.a.maximum"],
    [
      "a fraction as an integer's bound",
      fields({ a: { type: "integer", minimum: 0.5 } }),
      "properties.a.minimum: Must be an integer",
    ],
    ["an infinite bound", fields({ a: { type: "number", maximum: Number.POSITIVE_INFINITY } }), "properties.a.maximum"],
    ["negative zero", fields({ a: { type: "number", minimum: -0 } }), "Must not be negative zero"],
    ["a huge bound", fields({ a: { type: "number", maximum: 1e16 } }), "properties.a.maximum"],
    [
      "a default that is out of bounds",
      fields({ a: { type: "integer", maximum: 3, default: 4 } }),
      "properties.a.default: Must be at most 3",
    ],
    [
      "a default that is not offered",
      fields({ a: { type: "string", enum: ["x"], default: "y" } }),
      "properties.a.default",
    ],
    ["choices with a format", fields({ a: { type: "string", enum: ["x"], format: "date" } }), "properties.a.format"],
    [
      "two lists of choices",
      fields({ a: { type: "string", enum: ["x"], oneOf: [{ const: "x", title: "X" }] } }),
      "properties.a.oneOf",
    ],
    [
      "an unknown currency",
      fields({ a: { type: "object", format: "money", currency: "EUЯ" } }),
      "properties.a.currency",
    ],
    [
      "a lowercase currency",
      fields({ a: { type: "object", format: "money", currency: "eur" } }),
      "properties.a.currency",
    ],
    [
      "a bound without decimals",
      fields({ a: { type: "object", format: "money", currency: "EUR", maximum: "5" } }),
      "properties.a.maximum: Must be an amount of EUR, like 86.40",
    ],
    [
      "a default in another currency",
      fields({ a: { type: "object", format: "money", currency: "EUR", default: { amount: "1.00", currency: "USD" } } }),
      "properties.a.default: Must be in EUR",
    ],
    [
      "51 rows",
      fields({
        a: {
          type: "object",
          format: "items",
          items: Array.from({ length: 51 }, (_, n) => ({ id: `r${n}`, label: `R${n}` })),
        },
      }),
      "properties.a.items",
    ],
    [
      "a row with bidirectional overrides",
      fields({ a: { type: "object", format: "items", items: [{ id: "r", label: "\u202Eevil" }] } }),
      "bidirectional",
    ],
    ["an unknown keyword", fields({ a: { type: "string", pattern: "(a+)+$" } }), "properties.a.pattern"],
    ["a reference", fields({ a: { $ref: "#/properties/a", type: "string" } }), "properties.a.$ref"],
    [
      "21 fields",
      fields(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, { type: "string" }]))),
      "Must have 1 to 20 fields",
    ],
  ])("rejects %s with the path and the reason", (_, given, part) => {
    expect(problems(given).join("\n")).toContain(part);
  });

  it.each<[string, object, string]>([
    ["a missing value", { amount: undefined }, "values.amount"],
    ["an unknown field", { other: 1 }, "values.other"],
    ["a prototype key", JSON.parse('{"__proto__": 1}'), "values.__proto__"],
    ["an inherited key", { toString: 1 }, "values.toString"],
    ["another currency", { amount: { amount: "80.00", currency: "USD" } }, "Must be in EUR"],
    ["an amount as a number", { amount: 80 }, "values.amount"],
    ["an amount over the maximum", { amount: { amount: "500.01", currency: "EUR" } }, "Must be at most 500.00"],
    ["an exponent", { amount: { amount: "1e2", currency: "EUR" } }, "values.amount"],
    ["full-width digits", { amount: { amount: "８０.００", currency: "EUR" } }, "values.amount"],
    ["a third decimal", { amount: { amount: "80.000", currency: "EUR" } }, "values.amount"],
    ["a date that does not exist", { when: "2026-02-30" }, "values.when: Must be a date"],
    ["a title instead of a value", { account: "Giro" }, "Must be one of the choices"],
    ["the same choice twice", { notify: ["mail", "mail"] }, "at most once"],
    ["too few choices", { notify: [] }, "at least 1"],
    ["a fraction", { retries: 1.5 }, "Must be a whole number"],
    ["a number as text", { retries: "1" }, "Must be a number"],
    ["1e400", JSON.parse('{"rate": 1e400}'), "Must be a number"],
    ["negative zero", JSON.parse('{"retries": -0}'), "negative zero"],
    ["text as a boolean", { express: "true" }, "Must be true or false"],
    ["a row without a verdict", { lines: { a: "approve" } }, "Must contain a verdict for b"],
    ["an unknown row", { lines: { a: "approve", b: "approve", c: "approve" } }, "only rows of the question"],
    ["an unknown verdict", { lines: { a: "approve", b: "maybe" } }, "approve or reject"],
  ])("rejects values with %s", (_, change, part) => {
    let error: { details?: { path: string; message: string }[] } = {};
    try {
      checkValues(invoice, { ...whole, ...change });
    } catch (thrown) {
      error = thrown as typeof error;
    }
    expect((error.details ?? []).map(({ path, message }) => `${path}: ${message}`).join("\n")).toContain(part);
  });
});

describe("formats of text", () => {
  it.each([
    ["email", ["a@example.com"], ["", "a", "a@b", "a @example.com"]],
    ["uri", ["https://example.com", "mailto:a@example.com"], ["example.com", "https://exa mple.com"]],
    ["date", ["2024-02-29"], ["", "2025-02-29", "2025-13-01", "25-01-01"]],
    ["time", ["18:30", "18:30:59.123"], ["24:00", "1:30", "18:60"]],
    [
      "date-time",
      ["2026-12-31T18:30:00Z", "2026-12-31T18:30+01:00"],
      ["2026-12-31", "2026-12-31T18:30", "2026-02-30T18:30:00Z"],
    ],
  ] as const)("checks %s", (format, good, bad) => {
    const problem = (value: string) => valueProblem({ type: "string", format }, value);
    expect(good.map(problem)).toEqual(good.map(() => undefined));
    expect(bad.filter((value) => problem(value) === undefined)).toEqual([]);
  });

  it("counts characters, not code units", () => {
    expect(valueProblem({ type: "string", maxLength: 2 }, "🙂🙂")).toBeUndefined();
    expect(valueProblem({ type: "string", minLength: 3 }, "🙂🙂")).toContain("at least 3");
  });
});

describe("amounts of money", () => {
  it("have the decimals of their currency", () => {
    expect(["EUR", "JPY", "KWD", "CLF"].map(decimalsOf)).toEqual([2, 0, 3, 4]);
    // ISO 4217 has two decimals for these currencies, but everyday prices have none.
    expect(["HUF", "IDR", "COP", "PKR"].map(decimalsOf)).toEqual([2, 2, 2, 2]);
    expect(["86.40", "-0.01", "0.00", "999999999999999.99"].map((it) => amountProblem(it, "EUR"))).toEqual(
      Array(4).fill(undefined),
    );
    for (const wrong of ["", "86.4", "086.40", "+1.00", "1,000.00", "-0.00", "1000000000000000.00", " 1.00", "1.00\n"])
      expect([wrong, amountProblem(wrong, "EUR") !== undefined]).toEqual([wrong, true]);
    expect([amountProblem("86", "JPY"), amountProblem("1.000", "KWD")]).toEqual([undefined, undefined]);
  });

  it("are compared exactly", () => {
    const cents = fc.bigInt({ min: -99_999_999_999_999_999n, max: 99_999_999_999_999_999n });
    const write = (value: bigint) => {
      const digits = (value < 0n ? -value : value).toString().padStart(3, "0");
      return `${value < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    };
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        expect([write(a), amountProblem(write(a), "EUR")]).toEqual([write(a), undefined]);
        expect(Math.sign(compareAmounts(write(a), write(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});

describe("hostile values", () => {
  it("never throw anything but a 400, and accept only what they return unchanged", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(whole), "__proto__", "x"), fc.jsonValue()), (given) => {
        try {
          const values = checkValues(invoice, given as Record<string, unknown>);
          expect(canonicalJson(values)).toBe(
            canonicalJson(Object.fromEntries(Object.entries(given).filter(([, it]) => it !== null))),
          );
        } catch (error) {
          expect(error).toMatchObject({ status: 400 });
        }
      }),
    );
  });

  it("never make a schema check throw", () => {
    fc.assert(fc.property(fc.jsonValue(), (given) => void NewFields.safeParse(given)));
    fc.assert(fc.property(fc.jsonValue(), (given) => void NewFields.safeParse(fields({ a: given }))));
  });
});
