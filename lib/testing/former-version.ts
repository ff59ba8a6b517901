import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { resolve } from "node:path";
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
