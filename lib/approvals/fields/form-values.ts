import { choicesOf, isItems, isMoney } from "./field-kinds";
import type { FieldSchema, Fields } from "./field-schema";
import { decimalsOf } from "./money";

/*
 * The controls of a question's fields in a form, with or without scripts. A field has one control,
 * except for a list of choices and for rows, which have one control for each choice or row.
 */

/** Returns the name of a field's control. @param part the index of a choice, or the ID of a row */
export const controlName = (field: string, part?: string | number): string =>
  part === undefined ? `field.${field}` : `field.${field}.${part}`;

/** Returns whether a form's control belongs to a field. */
export const isFieldControl = (name: string): boolean => name.startsWith("field.");

/**
 * Converts a form's controls to values, in the forms in which people type them. Empty controls are
 * omitted. Invalid texts stay texts, so that `checkValues` can name the problem.
 * @param typed the controls' values by name
 */
export function valuesFromForm(fields: Fields, typed: Readonly<Record<string, string>>): Record<string, unknown> {
  const entries = Object.entries(fields.properties).flatMap(([name, field]) => {
    const value = readValue(name, field, typed);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function readValue(name: string, field: FieldSchema, typed: Readonly<Record<string, string>>): unknown {
  const own = (part?: string | number) => {
    const control = controlName(name, part);
    return Object.hasOwn(typed, control) ? typed[control] : undefined;
  };
  if (isItems(field)) {
    const verdicts = field.items.flatMap(({ id }) => (own(id) ? [[id, own(id)]] : []));
    return verdicts.length > 0 ? Object.fromEntries(verdicts) : undefined;
  }
  if (field.type === "array") {
    const chosen = (choicesOf(field) ?? []).flatMap((_, index) => own(index) ?? []);
    return chosen.length > 0 || !field.minItems ? chosen : undefined;
  }
  const text = own()?.trim();
  if (text === undefined || text === "") return undefined;
  if (isMoney(field)) return { amount: amountFrom(text, field.currency), currency: field.currency };
  if (field.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (field.type === "string") return own();
  return numberFrom(text);
}

/** Matches a number as people type it, such as 12, −12.5 or 12,5. */
const decimal = /^[-−]?\d+(?:[.,]\d+)?$/;
/** Matches a comma that may separate thousands or decimals. */
const ambiguousComma = /^[-−]?[1-9]\d{0,2},\d{3}$/;

/** Converts a text to a number. Returns any other text, and an ambiguous one, as it is. */
const numberFrom = (text: string): number | string =>
  // Adding 0 turns negative zero into zero.
  decimal.test(text) && !ambiguousComma.test(text) ? Number(text.replace(",", ".").replace("−", "-")) + 0 : text;

/**
 * Completes an amount as people type it: "86" becomes "86.00", and "86,4" becomes "86.40". Any other
 * text, and an ambiguous one, stays as it is.
 */
export function amountFrom(text: string, currency: string): string {
  const decimals = decimalsOf(currency);
  const [, sign = "", whole = "", fraction = ""] =
    /^([-−]?)0*(\d+)(?:[.,](\d*))?$/.exec(text.replaceAll(/\s/g, "")) ?? [];
  if (whole === "" || fraction.length > decimals || ambiguousComma.test(text)) return text;
  const amount = decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, "0")}`;
  return sign && /[1-9]/.test(amount) ? `-${amount}` : amount;
}
