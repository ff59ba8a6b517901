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

/**
 * The currencies whose minor unit is not a hundredth (ISO 4217), by their number of decimals. `Intl`
 * can't tell: Node.js has the decimals of everyday prices, such as 0 for HUF, and browsers differ.
 */
const otherDecimals: Record<number, string> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};
const decimalsByCode = new Map(
  Object.entries(otherDecimals).flatMap(([count, codes]) => codes.split(" ").map((code) => [code, Number(count)])),
);

/** The number of decimals of a currency's amounts, such as 2 for EUR and 0 for JPY. */
export const decimalsOf = (currency: string): number => decimalsByCode.get(currency) ?? 2;

/**
 * Returns what is wrong with an amount's text, or undefined if nothing is. An amount has at most 15
 * digits before the decimal point, and exactly the currency's decimals after it.
 */
export function amountProblem(amount: string, currency: string): string | undefined {
  const count = decimalsOf(currency);
  const fraction = count === 0 ? "" : `\\.[0-9]{${count}}`;
  if (!new RegExp(`^-?(0|[1-9][0-9]{0,14})${fraction}$`).test(amount))
    return `Must be an amount of ${currency}, like ${example(count)}`;
  return /^-[0.]+$/.test(amount) ? "Must not be negative zero" : undefined;
}

const example = (count: number) => (count === 0 ? "86" : `86.${"40".padEnd(count, "0")}`);

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
