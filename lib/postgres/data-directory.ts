import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { commonFolder, findBinaries } from "./binaries";
import { canEnter, serverAccount, type Tell } from "./os-user";
import { type Instance, initialize, PostgresError } from "./postgres-server";

/**
 * Returns a data folder's PostgreSQL, and creates it if there is none. Its files are in the
 * subfolder `postgres`. If PostgreSQL's account can't enter that folder (such as root's home), the
 * files are elsewhere, and `postgres` is a link.
 * @param dataDir the absolute path of an existing folder
 */
export async function locateInstance(dataDir: string, password: string, tell: Tell): Promise<Instance> {
  const account = serverAccount();
  const binaries = findBinaries(account, tell);
  const own = join(dataDir, "postgres");
  const instanceIn = (folder: string): Instance => ({
    binaries,
    account,
    data: join(folder, "postgres"),
    log: join(folder, "postgres.log"),
  });

  const kept = linkTarget(own);
  if (kept && !existsSync(kept))
    throw new PostgresError(
      `${own} is a link to ${kept}, which does not exist. Restore the folder. To start with an empty database instead, delete the link.`,
    );
  if (kept) return instanceIn(dirname(kept));
  if (existsSync(own)) return instanceIn(dataDir);

  if (canEnter(account, "-x", dataDir)) {
    tell(`Creating a database in ${own}`);
    await initialize(instanceIn(dataDir), password);
    return instanceIn(dataDir);
  }
  const folder = elsewhere(dataDir);
  tell(`Creating a database in ${folder}, because the user ${account?.name} can't access ${dataDir}`);
  await initialize(instanceIn(folder), password);
  try {
    symlinkSync(join(folder, "postgres"), own);
    return instanceIn(folder);
  } catch (error) {
    // If another process finished first, its database is used.
    rmSync(folder, { recursive: true });
    const theirs = linkTarget(own);
    if (!theirs) throw error;
    return instanceIn(dirname(theirs));
  }
}

function linkTarget(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSymbolicLink() ? readlinkSync(path) : undefined;
}

/** A new folder each time, because a former data folder at the same path may have left files. */
function elsewhere(dataDir: string): string {
  mkdirSync(commonFolder, { recursive: true, mode: 0o755 });
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  const folder = mkdtempSync(join(commonFolder, `${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}
