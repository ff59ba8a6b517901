import { chmodSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { log } from "@/lib/log";
import { serverAccount } from "@/lib/postgres/os-user";

/**
 * Removes other users' permissions on the data folder and the files in it. If PostgreSQL runs under
 * its own account, that account can still reach its own folder.
 * @param embedded whether the folder has or will have an embedded PostgreSQL
 */
export function restrictPermissions(folder: string, embedded: boolean): void {
  const database = lstatSync(join(folder, "postgres"), { throwIfNoEntry: false });
  const passed = embedded && !database?.isSymbolicLink() && serverAccount() !== undefined;
  tighten(folder, passed ? 0o711 : 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) tighten(join(folder, entry.name), 0o600);
}

/** Narrows a mode to at most `maxMode`. Never widens it. */
function tighten(path: string, maxMode: number) {
  // Another instance may have deleted this file in the meantime.
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return;
  const mode = found.mode & 0o777;
  if ((mode & ~maxMode) === 0) return;
  try {
    chmodSync(path, mode & maxMode);
  } catch (error) {
    // Another user owns the path, as with container volumes. Only that user can change the mode.
    log.warn("other users of this computer may have access to a private path; restrict the path's permissions", {
      path,
      reason: String(error),
    });
  }
}
