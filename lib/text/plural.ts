/** A count of any size: "1,234,567". */
export const countText = (count: number): string => `${count}`.replace(/\B(?=(...)+$)/g, ",");

/** A count up to a limit: "99+". */
export const upTo = (max: number, count: number): string => countText(Math.min(max, count)) + (count > max ? "+" : "");

/** The English forms of a word. */
export type PluralForms = Record<"one" | "other", string>;

/**
 * Returns a count with its word: `plural(2, { one: "# app", other: "# apps" })` is "2 apps".
 * @param written the text that replaces `#`, such as "99+" for a count that stops there
 */
export const plural = (count: number, forms: PluralForms, written = countText(count)): string =>
  forms[count === 1 ? "one" : "other"].replace("#", written);
