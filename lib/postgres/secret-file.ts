import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * Returns a secret that is generated once and kept in a file that only its owner may read (mode
 * 0600). The first writer's secret is kept. No one reads a partial file, because the file is
 * written elsewhere and linked into place.
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

/** Returns the secret in the file, if the file exists. */
export function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}
