import { expect, test } from "vitest";
import { z } from "zod";
import { withoutNulls } from "./validate";

const schema = z.strictObject({
  question: z.string(),
  risk: z.string().optional(),
  options: z.array(z.strictObject({ id: z.string(), note: z.string().optional() })),
  data: z.record(z.string(), z.unknown()).optional(),
});

test("removes null values from fields that a schema defines", () => {
  const given = { question: "?", risk: null, options: [{ id: "a", note: null }], data: { none: null }, unknown: null };
  expect(withoutNulls(schema, given)).toEqual({
    question: "?",
    options: [{ id: "a" }],
    data: { none: null },
    unknown: null,
  });
});

test("returns an input that contains no nulls unchanged", () => {
  const given = { question: "?", options: [{ id: "a", note: "" }], data: { deep: { 0: [false, undefined] } } };
  expect(withoutNulls(schema, given)).toBe(given);
});

test("keeps null values in nested free-form data", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(60_000)}null${"]".repeat(60_000)}`);
  const given = { question: "?", risk: null, options: [], data: { deep } };
  expect(withoutNulls(schema, given)).toEqual({ question: "?", options: [], data: { deep } });
});
