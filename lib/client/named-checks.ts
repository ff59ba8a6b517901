/** The expected JavaScript type of each check, with its article: `a string`, `an array`. */
export type CheckTypes = Readonly<Record<string, `a ${string}` | `an ${string}`>>;

/**
 * Rejects missing, unknown and wrongly typed checks. Untyped programs may misspell names, and
 * skipping an unknown check would weaken the verification.
 * @param what what the checks are for, like `receipt`
 * @param required the names of the checks that must be present
 * @throws {TypeError} that names the check
 */
export function requireChecks(what: string, checks: object, types: CheckTypes, required: readonly string[]): void {
  const given: Record<string, unknown> = { ...checks };
  for (const name of new Set([...required, ...Object.keys(given)])) {
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    if (type === undefined) throw new TypeError(`The ${what} check "${name}" does not exist`);
    if (!type.endsWith(` ${typeOf(given[name])}`)) throw new TypeError(`The ${what} check "${name}" must be ${type}`);
  }
}

/** Rejects checks that have none of these names. @throws {TypeError} that lists the names */
export function requireOneOf(checks: object, names: readonly string[]): void {
  if (names.some((name) => name in checks)) return;
  const quoted = names.map((name) => `"${name}"`);
  throw new TypeError(`Pass at least one of ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
