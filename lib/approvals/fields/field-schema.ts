import { z } from "zod";
import { allDiffer } from "@/lib/text/confusables";
import { text } from "@/lib/text/text-schema";
import { isCurrency } from "./money";

/*
 * The fields of a question describe the values that the owner fills in. Their schema is the subset
 * of JSON Schema that MCP elicitation defines (MCP 2025-11-25, "Elicitation"), with two additions:
 * money, and rows that are each approved or rejected. Numbers have bounds within which every
 * client writes the same canonical JSON (RFC 8785).
 */

/** The largest absolute value of a number, and the smallest except 0. */
const [largest, smallest] = [1e15, 1e-6];
const number = z
  .number()
  .refine((value) => !Object.is(value, -0), "Must not be negative zero")
  .refine((value) => Math.abs(value) <= largest, "Must be at most 1e15 in absolute value")
  .refine((value) => value === 0 || Math.abs(value) >= smallest, "Must be 0 or at least 1e-6 in absolute value");
const count = (max: number) => z.int().min(0).max(max);

const naming = {
  title: text({ max: 80 }).optional().describe("The field's label; by default, its name."),
  description: text({ max: 300 }).optional().describe("A hint for the owner."),
};

/** A choice's value. */
const choice = text({ max: 100 });
const titled = z.strictObject({ const: choice, title: text({ max: 200 }) });
const maxChoices = 50;
const choices = z
  .array(choice)
  .min(1)
  .max(maxChoices)
  .refine((all) => allDiffer(all), "Choices must not look alike");
const titledChoices = z
  .array(titled)
  .min(1)
  .max(maxChoices)
  .refine((all) => new Set(all.map((it) => it.const)).size === all.length, "Choices must have different values")
  .refine((all) => allDiffer(all.map(({ title }) => title)), "Titles must not look alike");

/** Text, or one of several choices if it has `enum` or `oneOf`. */
const StringField = z.strictObject({
  type: z.literal("string"),
  ...naming,
  enum: choices.optional(),
  oneOf: titledChoices.optional(),
  minLength: count(10_000).optional(),
  maxLength: count(10_000).optional(),
  format: z.enum(["email", "uri", "date", "time", "date-time"]).optional(),
  default: text({ max: 10_000, min: 0, lines: true }).optional(),
});
const NumberField = z.strictObject({
  type: z.enum(["number", "integer"]),
  ...naming,
  minimum: number.optional(),
  maximum: number.optional(),
  default: number.optional(),
});
const BooleanField = z.strictObject({ type: z.literal("boolean"), ...naming, default: z.boolean().optional() });
const ChoicesField = z.strictObject({
  type: z.literal("array"),
  ...naming,
  items: z.union([
    z.strictObject({ type: z.literal("string"), enum: choices }),
    z.strictObject({ anyOf: titledChoices }),
  ]),
  minItems: count(maxChoices).optional(),
  maxItems: count(maxChoices).optional(),
  default: z.array(choice).max(maxChoices).optional(),
});

const currency = z.string().refine(isCurrency, "Must be an ISO 4217 currency code, like EUR");
const decimal = z.string().max(20);
const MoneyValue = z.strictObject({ amount: decimal, currency });
const MoneyField = z.strictObject({
  type: z.literal("object"),
  format: z.literal("money"),
  ...naming,
  currency: currency.describe("The currency of the amount, as an ISO 4217 code."),
  minimum: decimal.optional(),
  maximum: decimal.optional(),
  default: MoneyValue.optional(),
});

const Verdict = z.enum(["approve", "reject"]);
const rowId = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "Must begin with a letter and have up to 64 letters, digits, _ or -");
const ItemsField = z.strictObject({
  type: z.literal("object"),
  format: z.literal("items"),
  ...naming,
  items: z
    .array(z.strictObject({ id: rowId, label: text({ max: 200 }), note: text({ max: 500 }).optional() }))
    .min(1)
    .max(50)
    .refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length, "Rows must have different IDs"),
  default: z.record(rowId, Verdict).optional(),
});

const kinds = [StringField, NumberField, BooleanField, ChoicesField, MoneyField, ItemsField];

/** Returns the schema of the kind that a field's `type` and `format` name, if there is one. */
export const kindSchemaOf = (field: { type?: unknown; format?: unknown } | null | undefined): z.ZodObject | undefined =>
  kinds.find(({ shape }) => {
    const { format } = shape as { format?: z.ZodType };
    const isOwnKind = format instanceof z.ZodLiteral;
    return shape.type.safeParse(field?.type).success && (!isOwnKind || format.safeParse(field?.format).success);
  });

/** The schema of one field. */
export const NewField = z.discriminatedUnion("type", [
  StringField,
  NumberField,
  BooleanField,
  ChoicesField,
  z.discriminatedUnion("format", [MoneyField, ItemsField]),
]);

export type StringField = z.output<typeof StringField>;
export type NumberField = z.output<typeof NumberField>;
export type ChoicesField = z.output<typeof ChoicesField>;
export type MoneyField = z.output<typeof MoneyField>;
export type ItemsField = z.output<typeof ItemsField>;
export type FieldSchema = z.output<typeof NewField>;
export type Verdict = z.output<typeof Verdict>;

/** The fields of a question, as a JSON Schema of a flat object. */
export type Fields = { type: "object"; properties: Record<string, FieldSchema>; required?: string[] | undefined };
