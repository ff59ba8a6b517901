import { chmodSync, lstatSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Creates a data folder for a test.
 * @param mode the folder's mode; 0o700 denies access to PostgreSQL's own account, so the database's
 * files are then elsewhere
 */
export function newDataDir(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-data-"));
  chmodSync(folder, mode);
  return folder;
}

/** Removes the folder, and the database folder that it may link to. */
export function removeDataDir(folder: string): void {
  const postgres = join(folder, "postgres");
  if (lstatSync(postgres, { throwIfNoEntry: false })?.isSymbolicLink()) {
    rmSync(dirname(readlinkSync(postgres)), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}
