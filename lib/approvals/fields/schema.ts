import { z } from "zod";
import type { Detail } from "@/lib/errors";
import { allDiffer } from "@/lib/text/confusables";
import { detailsOf } from "@/lib/text/validate";
import { validationMessage } from "@/lib/text/validation-messages";
import { boundsProblems } from "./field-bounds";
import { type Fields, kindSchemaOf, NewField } from "./field-schema";
import { valueProblem } from "./field-values";

/** A field's name, which becomes a key of the answer's values. */
const fieldName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "Must begin with a letter and have up to 64 letters, digits or _");
/** Names that some programs give a special meaning as keys. */
const reserved = new Set(["constructor", "prototype"]);

/** The rules for the fields of a question. */
const FieldRules: z.ZodType<Fields> = z
  .strictObject({
    type: z.literal("object"),
    properties: z.record(fieldName, NewField),
    required: z.array(fieldName).max(20).optional(),
  })
  .check(({ value: { properties, required = [] }, issues }) => {
    const refuse = (message: string, ...path: string[]) =>
      issues.push({ code: "custom", message, input: properties, path });
    const names = Object.keys(properties);
    if (names.length < 1 || names.length > 20) refuse("Must have 1 to 20 fields", "properties");
    if (new Set(names.map((name) => name.toLowerCase())).size !== names.length)
      refuse("Names must differ by more than case", "properties");
    for (const name of names) if (reserved.has(name)) refuse("Must be another name", "properties", name);
    if (!allDiffer(names.map((name) => properties[name]?.title ?? name)))
      refuse("Titles must not look alike", "properties");
    for (const name of required) if (!names.includes(name)) refuse(`There is no field ${name}`, "required");
    if (new Set(required).size !== required.length) refuse("Must contain each name once", "required");
    for (const [name, field] of Object.entries(properties)) {
      const wrong = boundsProblems(field);
      for (const { path, message } of wrong) refuse(message, "properties", name, path);
      const problem = wrong.length === 0 && field.default !== undefined && valueProblem(field, field.default);
      if (problem) refuse(problem, "properties", name, "default");
    }
  });

/** Whether an object of a request has no members. */
export const hasNone = (given: object): boolean => Object.keys(given).length === 0;

/** Returns a problem with the fields in the words of all errors, with hints for unknown keys. */
function explain(value: Record<string, unknown>, issue: z.core.$ZodIssue): Detail[] {
  const [at, name = "", ...rest] = issue.path;
  const { properties } = value as { properties?: Record<PropertyKey, object> };
  const kind = at === "properties" && issue.code === "unrecognized_keys" ? kindSchemaOf(properties?.[name]) : undefined;
  return kind
    ? detailsOf(kind, new z.ZodError([{ ...issue, path: rest }]), [at, name] as string[])
    : detailsOf(FieldRules, new z.ZodError([issue]));
}

/**
 * The fields as an app submits them. The API describes them as any object, because the rules are a
 * union of many kinds (`/docs/fields`). An empty object counts as absent, because generated clients
 * send one for an object that a program did not set.
 */
export const NewFields = z.looseObject({}).check(({ value, issues }) => {
  if (hasNone(value)) return;
  const read = FieldRules.safeParse(value, { error: validationMessage });
  const details = read.error?.issues.flatMap((issue) => explain(value, issue)) ?? [];
  for (const { path, message } of details)
    issues.push({ code: "custom", message, path: path.split("."), input: value });
}) as unknown as z.ZodType<Fields, Fields>;
