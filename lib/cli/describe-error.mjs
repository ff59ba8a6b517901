// What an operator gets to read when something fails. By name, since it must work before any of the classes can be loaded.
const expected = [
  ...["SettingError", "OperatorError", "InUse", "MigrationError", "UsageError", "KeyError", "Failed", "PostgresError"],
];
/** What a disk that is full makes programs say, and SQLSTATEs of databases that are: full, away, not to be written to or entered. */
const [full, unable] = [/ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/, /^(08|25006|28|42501|53|57P|58)/];

/**
 * One sentence for what somebody can act on; the whole stack for what is our own fault.
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
    return `The disk is full${path ? ` at ${path}` : ""}: free some space and start again.`;
  if (severity && unable.test(code ?? "")) return ended(`The database cannot be used: ${error.message}`);
  return error.cause instanceof Error
    ? `${ended(error.message)}\n${error.cause.message}`
    : String(error.stack ?? error.message);
}

/** @param {string} text */
const ended = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);
