import { chmodSync, lstatSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * A new data folder for a test.
 * @param mode who may enter: with 0o700, what Postgres's own account cannot, so that its files have to lie elsewhere
 */
export function newDataDir(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-data-"));
  chmodSync(folder, mode);
  return folder;
}

/** Remove it, with the database that it may only point to. */
export function removeDataDir(folder: string): void {
  const postgres = join(folder, "postgres");
  if (lstatSync(postgres, { throwIfNoEntry: false })?.isSymbolicLink()) {
    rmSync(dirname(readlinkSync(postgres)), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}
