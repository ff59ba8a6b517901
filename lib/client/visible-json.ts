/**
 * Returns deterministic JSON in which all text is visible. Escapes invisible characters as `\u…`.
 */
export function safeJson(input: unknown): string {
  return unhidden(JSON.stringify(sorted(JSON.parse(JSON.stringify(input ?? null))), null, 2));
}

/** Returns a text with its invisible characters escaped as `\u…`, except newlines. */
export const unhidden = (text: string): string =>
  text.replaceAll(/(?!\n)\p{C}|[\p{Mn}\p{Me}]{4,}|[\p{Zl}\p{Zp}]/gu, (hidden) =>
    [...Array(hidden.length).keys()]
      .map((index) => `\\u${hidden.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, held]) => [name, sorted(held)]));
}
