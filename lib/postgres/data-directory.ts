import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { commonFolder, findBinaries } from "./binaries";
import { type Instance, initialize, PostgresError } from "./instance";
import { canEnter, serverAccount, type Tell } from "./os-user";

/**
 * The Postgres that belongs to a data folder, made if there is none yet. Its files lie in `postgres` in that folder, or,
 * where Postgres's account may not go there (root's home, a private temporary folder), in a folder of its own to which
 * `postgres` is then a link.
 * @param dataDir absolute path of a folder that exists
 */
export async function locateInstance(dataDir: string, password: string, tell: Tell): Promise<Instance> {
  const account = serverAccount();
  const binaries = findBinaries(account, tell);
  const own = join(dataDir, "postgres");
  const at = (folder: string): Instance => ({
    binaries,
    account,
    data: join(folder, "postgres"),
    log: join(folder, "postgres.log"),
  });

  const kept = linkTarget(own);
  if (kept && !existsSync(kept)) throw new PostgresError(`${own} points to ${kept}, which is not there.`);
  if (kept) return at(dirname(kept));
  if (existsSync(own)) return at(dataDir);

  if (canEnter(account, "-x", dataDir)) {
    tell(`Making a new database in ${own}`);
    await initialize(at(dataDir), password);
    return at(dataDir);
  }
  const folder = elsewhere(dataDir);
  tell(`Making a new database in ${folder}, since user ${account?.name} may not enter ${dataDir}`);
  await initialize(at(folder), password);
  try {
    symlinkSync(join(folder, "postgres"), own);
    return at(folder);
  } catch (error) {
    // Another copy was quicker: its database counts.
    rmSync(folder, { recursive: true });
    const theirs = linkTarget(own);
    if (!theirs) throw error;
    return at(dirname(theirs));
  }
}

function linkTarget(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSymbolicLink() ? readlinkSync(path) : undefined;
}

/** A new folder each time: what an earlier data folder of the same name left behind is not ours. */
function elsewhere(dataDir: string): string {
  mkdirSync(commonFolder, { recursive: true, mode: 0o755 });
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  const folder = mkdtempSync(join(commonFolder, `${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}
