// What an operator gets to read when something fails. By name, since it must work before any of the classes can be loaded.
const expected = ["SettingError", "OperatorError", "InUse", "MigrationError", "UsageError", "KeyError", "Failed"];

/**
 * One sentence for what somebody can act on; the whole stack for what is our own fault.
 * @param {unknown} error
 * @returns {string}
 */
export function sentence(error) {
  if (!(error instanceof Error)) return String(error);
  const { details } = /** @type {{ details?: { path: string, message: string }[] }} */ (error);
  if (details?.length)
    return ended(details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; "));
  if (error.constructor.name === "AppError" || expected.includes(error.constructor.name)) return ended(error.message);
  return error.cause instanceof Error
    ? `${ended(error.message)}\n${error.cause.message}`
    : String(error.stack ?? error.message);
}

/** @param {string} text */
const ended = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);
