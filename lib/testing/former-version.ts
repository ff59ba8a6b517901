import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { formerPrefix } from "./leftover-folders.mjs";

const git = (...args: string[]) =>
  execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "ignore"] }).trim();

/** Returns the previous release's tag, or undefined if the checkout has none. */
export function previousRelease(): string | undefined {
  try {
    return git("describe", "--tags", "--abbrev=0", "--match=v*", "HEAD^");
  } catch {
    // The clone may lack tags or history, or this folder may not be a clone at all.
    return undefined;
  }
}

/**
 * Returns the Git reference of a release: its tag or, while it has no tag, HEAD. Returns undefined
 * without Git, and if the release can't start on a database that this version migrated.
 */
export function referenceOf(release: string): string | undefined {
  const reference = [`v${release}`, "HEAD"].find(exists);
  return reference && isCompatible(reference) ? reference : undefined;
}

function exists(reference: string): boolean {
  try {
    return git("rev-parse", "--verify", `${reference}^{commit}`) !== "";
  } catch {
    return false;
  }
}

/** Whether all migrations since a version are additive. */
function isCompatible(version: string): boolean {
  const known = git("ls-tree", "-d", "--name-only", `${version}:prisma/migrations`).split("\n");
  const added = readdirSync("prisma/migrations", { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !known.includes(entry.name),
  );
  return added.every(({ name }) =>
    readFileSync(join("prisma/migrations", name, "migration.sql"), "utf8").startsWith("-- additive"),
  );
}

/**
 * Checks out a version into its own folder, with hard links to this version's packages.
 * @param version a tag or a commit
 * @returns the folder, which `remove` removes
 */
export function checkOutVersion(version: string): { folder: string; remove(): void } {
  // The folder is on the same disk as the checkout, so that its packages can be hard links. Git
  // ignores its name.
  const folder = mkdtempSync(resolve(formerPrefix));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const packed = execFileSync("git", ["archive", version], { maxBuffer: 2 ** 28 });
    execFileSync("tar", ["x", "-C", folder], { input: packed });
    execFileSync("cp", ["-al", "node_modules", folder]);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}
