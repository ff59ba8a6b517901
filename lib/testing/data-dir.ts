import { chmodSync, lstatSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Creates a data folder for a test.
 * @param mode the folder's mode; with 0o700, PostgreSQL's own account can't access the folder, so
 * the database's files are stored elsewhere
 */
export function newDataDir(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-data-"));
  chmodSync(folder, mode);
  return folder;
}

/** Removes the folder and, if its `postgres` is a link, the database folder that it points to. */
export function removeDataDir(folder: string): void {
  const postgres = join(folder, "postgres");
  if (lstatSync(postgres, { throwIfNoEntry: false })?.isSymbolicLink()) {
    rmSync(dirname(readlinkSync(postgres)), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}
