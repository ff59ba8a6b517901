import { chmodSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { log } from "@/lib/log";
import { serverAccount } from "@/lib/postgres/os-user";

/**
 * Remove other users' permissions on the data folder and the files in it. Only PostgreSQL's own
 * account, if it is a different one, may still pass through to its own folder.
 * @param embedded whether an embedded PostgreSQL is or will be in it
 */
export function restrictPermissions(folder: string, embedded: boolean): void {
  const database = lstatSync(join(folder, "postgres"), { throwIfNoEntry: false });
  const passed = embedded && !database?.isSymbolicLink() && serverAccount() !== undefined;
  tighten(folder, passed ? 0o711 : 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) tighten(join(folder, entry.name), 0o600);
}

/** Narrows a mode to at most `maxMode`; never widens it. */
function tighten(path: string, maxMode: number) {
  // Another instance's file was deleted meanwhile.
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return;
  const mode = found.mode & 0o777;
  if ((mode & ~maxMode) === 0) return;
  try {
    chmodSync(path, mode & maxMode);
  } catch (error) {
    // Owned by another user, as container volumes are. Only that user can change it.
    log.warn("other users of this computer can read the service's private files", { path, reason: String(error) });
  }
}
