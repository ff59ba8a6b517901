/*
 * Amounts of money are decimal strings, because binary floating point can't represent most of them.
 * Each amount has exactly the decimals of its currency (ISO 4217), so that equal amounts have equal
 * texts, and a receipt's verifier can compare them as texts.
 */

/** An amount of money, like `{amount: "86.40", currency: "EUR"}`. */
export type Money = { amount: string; currency: string };

const currencies = new Set(Intl.supportedValuesOf("currency"));

/** Whether a text is the ISO 4217 code of a currency that this Node.js version knows. */
export const isCurrency = (code: string): boolean => currencies.has(code);

/** The number of decimals of a currency's amounts, such as 2 for EUR and 0 for JPY. */
export function decimalsOf(currency: string): number {
  const options = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  return options.maximumFractionDigits ?? 2;
}

/**
 * Returns what is wrong with an amount's text, or undefined if nothing is. An amount has at most 15
 * digits before the decimal point, and exactly the currency's decimals after it.
 */
export function amountProblem(amount: string, currency: string): string | undefined {
  const decimals = decimalsOf(currency);
  const fraction = decimals === 0 ? "" : `\\.[0-9]{${decimals}}`;
  if (!new RegExp(`^-?(0|[1-9][0-9]{0,14})${fraction}$`).test(amount))
    return `Must be an amount of ${currency}, like ${example(decimals)}`;
  return /^-[0.]+$/.test(amount) ? "Must not be negative zero" : undefined;
}

const example = (decimals: number) => (decimals === 0 ? "86" : `86.${"40".padEnd(decimals, "0").slice(0, decimals)}`);

/**
 * Compares two valid amounts of the same currency.
 * @returns a negative number if `a` is smaller, a positive number if it is larger, otherwise 0
 */
export function compareAmounts(a: string, b: string): number {
  const [left, right] = [minorUnits(a), minorUnits(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns a valid amount in its currency's minor unit, such as cents. */
const minorUnits = (amount: string) => BigInt(amount.replace(".", ""));
