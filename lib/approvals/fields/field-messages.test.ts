import { expect, test } from "vitest";
import { z } from "zod";
import { detailsOf } from "@/lib/text/validate";
import { NewFields } from "./schema";

const Submission = z.strictObject({ fields: NewFields });
const problemsOf = (field: object) => {
  const read = Submission.safeParse({ fields: { type: "object", properties: { amount: field } } });
  return read.error ? detailsOf(Submission, read.error).map(({ path, message }) => `${path}: ${message}`) : [];
};

test.each([
  [{ type: "bool" }, 'type: Must be "string" or "number" or "integer" or "boolean" or "array" or "object"'],
  [{ type: "object", format: "cash" }, 'format: Must be "money" or "items"'],
  [{ type: "string", title: 5 }, "title: Must be text, not a number"],
  [{ type: "string", enumNames: ["A"] }, "enumNames: Unrecognized key: enumNames. Did you mean oneOf?"],
  [
    { type: "number", minLength: 3 },
    "minLength: Unrecognized key: minLength. Allowed: type, title, description, minimum, maximum, default.",
  ],
  [
    { type: "array", items: { type: "string", enum: ["a"], titles: [] } },
    "items.titles: Unrecognized key: titles. Allowed: type, enum, anyOf.",
  ],
])("says how to correct a field's schema: %j", (field, problem) => {
  expect(problemsOf(field)).toEqual([`fields.properties.amount.${problem}`]);
});

test("says how to correct the object around the fields", () => {
  const read = Submission.safeParse({
    fields: { type: "object", properties: { "1a": { type: "string" } }, additionalProperties: false },
  });
  expect(detailsOf(Submission, read.error as z.ZodError)).toEqual([
    { path: "fields.properties.1a", message: "Must begin with a letter and have up to 64 letters, digits or _" },
    {
      path: "fields.additionalProperties",
      message: "Unrecognized key: additionalProperties. Allowed: type, properties, required.",
    },
  ]);
});
