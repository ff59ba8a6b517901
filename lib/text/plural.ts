/** The language of all our words. */
const rules = () => {
  known ??= new Intl.PluralRules("en");
  return known;
};
let known: Intl.PluralRules | undefined;

/** The forms of a word, by the categories of `Intl.PluralRules` that English has. */
export type PluralForms = Record<"one" | "other", string>;

/**
 * Words for so many: `plural(2, { one: "# app", other: "# apps" })` is "2 apps".
 * @param written what stands for `#`, for counts that may need grouping or have a limit: "1,204", "99+"
 */
export const plural = (count: number, forms: PluralForms, written: string | number = count): string =>
  forms[rules().select(count) as keyof PluralForms].replace("#", `${written}`);
