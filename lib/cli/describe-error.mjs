// Turns an error into text for the operator. This module matches errors by name, because it must
// work before any error class can be loaded.
const expected = [
  ...["SettingError", "OperatorError", "InUse", "MigrationError", "UsageError", "KeyError", "Failed", "PostgresError"],
];
/**
 * Error codes of a full disk, and SQLSTATEs of a database that is full, unreachable, read-only or
 * not accessible.
 */
const [full, unable] = [/ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/, /^(08|25006|28|42501|53|57P|58)/];

/**
 * Returns one sentence for an error that the operator can fix, or the whole stack for a bug in this
 * project.
 * @param {unknown} error
 * @returns {string}
 */
export function describeError(error) {
  if (!(error instanceof Error)) return String(error);
  const { details } = /** @type {{ details?: { path: string, message: string }[] }} */ (error);
  if (details?.length)
    return ended(details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; "));
  if (full.test(String(error.cause))) return describeError(error.cause);
  if (error.constructor.name === "AppError" || expected.includes(error.constructor.name)) return ended(error.message);
  const { code, path, severity } = /** @type {{ code?: string, path?: string, severity?: string }} */ (error);
  if (full.test(`${code} ${error.message}`) || code === "53100")
    return `The disk is full${path ? ` at ${path}` : ""}. Free some space, then try again.`;
  if (severity && unable.test(code ?? "")) return ended(`The database returned an error: ${error.message}`);
  return error.cause instanceof Error
    ? `${ended(error.message)}\n${error.cause.message}`
    : String(error.stack ?? error.message);
}

/** @param {string} text */
const ended = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);
