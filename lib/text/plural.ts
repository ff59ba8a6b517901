/** A count of any size: "1,234,567". */
export const countText = (count: number): string => `${count}`.replace(/\B(?=(...)+$)/g, ",");

/** A count up to a limit: "99+". */
export const upTo = (max: number, count: number): string => countText(Math.min(max, count)) + (count > max ? "+" : "");

/** The forms of a word, by the `Intl.PluralRules` categories of English. */
export type PluralForms = Record<"one" | "other", string>;

/**
 * A count with its word: `plural(2, { one: "# app", other: "# apps" })` is "2 apps".
 * @param written replaces `#` if the reader's formats are known, or the count is partial
 */
export const plural = (count: number, forms: PluralForms, written = countText(count)): string =>
  forms[rule(count, "cardinal") as keyof PluralForms].replace("#", written);

const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

/** "2nd", "11th". */
export const ordinal = (count: number): string => count + (endings[rule(count, "ordinal")] ?? "th");

/** Uses English rules, because all our text is English. Intl is called once, on first use. */
function rule(count: number, type: Intl.PluralRuleType): Intl.LDMLPluralRule {
  rules[type] ??= new Intl.PluralRules("en", { type });
  return rules[type].select(count);
}

const rules: Partial<Record<Intl.PluralRuleType, Intl.PluralRules>> = {};
