import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * Returns a secret from a file, and creates it if the file is missing. Only the file's owner may
 * read the file (mode 0600). If several processes do this concurrently, the first secret is kept.
 * The file is linked into place, so that nobody reads a partial one.
 */
export function readOrCreateSecret(path: string, bytes = 32): string {
  const kept = readSecret(path);
  if (kept !== undefined) return kept;
  const unfinished = `${path}.${randomBytes(4).toString("hex")}`;
  writeFileSync(unfinished, `${randomBytes(bytes).toString("base64url")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(unfinished);
  }
  return readFileSync(path, "utf8").trim();
}

/** Returns the secret in the file; undefined if the file does not exist. */
export function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}
