import type { ChoicesField, FieldSchema, ItemsField, MoneyField, StringField } from "./field-schema";

/* Tells kinds of fields apart. Browsers load this file, so it imports no schema. */

/** The choices of a field, with their titles; undefined for free text. */
export function choicesOf(field: StringField | ChoicesField): { value: string; title: string }[] | undefined {
  const from = field.type === "array" ? field.items : field;
  if ("enum" in from && from.enum) return from.enum.map((value) => ({ value, title: value }));
  const titled = "oneOf" in from ? from.oneOf : "anyOf" in from ? from.anyOf : undefined;
  return titled?.map((it) => ({ value: it.const, title: it.title }));
}

export const isMoney = (field: FieldSchema): field is MoneyField => field.type === "object" && field.format === "money";
export const isItems = (field: FieldSchema): field is ItemsField => field.type === "object" && field.format === "items";
