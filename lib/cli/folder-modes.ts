import { chmodSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { log } from "@/lib/log";
import { serverAccount } from "@/lib/postgres/os-user";

/**
 * Take from all other users of the computer what they may do with the data folder and the files in it. Only PostgreSQL's own
 * account, where that is another, may pass through to the folder that is its own.
 * @param embedded whether a PostgreSQL of ours is or will be in it
 */
export function restrictPermissions(folder: string, embedded: boolean): void {
  const database = lstatSync(join(folder, "postgres"), { throwIfNoEntry: false });
  const passed = embedded && !database?.isSymbolicLink() && serverAccount() !== undefined;
  tighten(folder, passed ? 0o711 : 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) tighten(join(folder, entry.name), 0o600);
}

/** Never more than there was. */
function tighten(path: string, most: number) {
  // Another copy's, and gone meanwhile.
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return;
  const mode = found.mode & 0o777;
  if ((mode & ~most) === 0) return;
  try {
    chmodSync(path, mode & most);
  } catch (error) {
    // Somebody else's, as volumes of containers are: it is for them to say.
    log.warn("other users of this computer can read the service's private files", { path, reason: String(error) });
  }
}
