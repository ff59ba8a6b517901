import { countText } from "./formats";

/** The forms of a word, by the categories of `Intl.PluralRules` that English has. */
export type PluralForms = Record<"one" | "other", string>;

/**
 * Words for so many: `plural(2, { one: "# app", other: "# apps" })` is "2 apps".
 * @param written what stands for `#`, where somebody reads whose formats are known, or not all was counted
 */
export const plural = (count: number, forms: PluralForms, written = countText(count)): string =>
  forms[rule(count, "cardinal") as keyof PluralForms].replace("#", written);

const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

/** "2nd", "11th". */
export const ordinal = (count: number): string => count + (endings[rule(count, "ordinal")] ?? "th");

/** Of English, the language of all our words. Intl is asked for it once, and not before it is needed. */
function rule(count: number, type: Intl.PluralRuleType): Intl.LDMLPluralRule {
  rules[type] ??= new Intl.PluralRules("en", { type });
  return rules[type].select(count);
}

const rules: Partial<Record<Intl.PluralRuleType, Intl.PluralRules>> = {};
