/**
 * Returns JSON text in the canonical form of RFC 8785, so that its hash is the same everywhere.
 * @throws {TypeError} for values that JSON cannot hold: a number that is not finite, an unpaired
 *   surrogate
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") {
    if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value))
      throw new TypeError("Can't encode an unpaired surrogate as JSON");
    return JSON.stringify(value);
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`Can't encode ${value} as JSON`);
  if (value === null || typeof value === "boolean" || typeof value === "number") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (typeof value !== "object") throw new TypeError(`Can't encode a value of type ${typeof value} as JSON`);
  const fields = Object.entries(value).filter(([, held]) => held !== undefined);
  // Sorts by UTF-16 code units, as JavaScript compares strings.
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, held]) => `${canonicalJson(name)}:${canonicalJson(held)}`).join(",")}}`;
}
