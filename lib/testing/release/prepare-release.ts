import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runSystem } from "../test-with-programs";
import { pinBaseImages } from "./base-image";
import { datedChangelog, datedPackageChangelog, isDated } from "./changelogs";
import { setGoModule, versionOf, writeOneVersion } from "./one-version";
import { recordReleasedMigrations } from "./released-migrations";
import { setRepository } from "./repository-url";

/*
 * Makes a checkout ready for a release: one version, dated changelogs, the Go module's path, a
 * pinned base image, the checksums of migrations, and the derived files. A dry run does this in a copy. A release publishes only
 * a checkout in which these steps change nothing, so reviewers have seen everything that it contains.
 */

export type ReleaseChoices = {
  date: string;
  /** The Go module's path, if it changes. */
  goModule: string | undefined;
  /** The repository's public URL, if known. */
  repository: string | undefined;
  /** The digest of the base image, if the operator set one. */
  baseDigest: string | undefined;
};

const packages = ["typescript", "python", "go"].map((name) => `clients/${name}/CHANGELOG.md`);

/** Copies the files of a checkout that git tracks or would track. @returns the copy's folder */
export function copyCheckout(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), "countersign-release-"));
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  for (const file of execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0")) {
    if (!file || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  // Otherwise the copy would generate the same database client again.
  const client = "lib/generated/prisma";
  if (existsSync(join(root, client))) cpSync(join(root, client), join(copy, client), { recursive: true });
  return copy;
}

/**
 * Makes a checkout ready for a release.
 * @param skip called with a reason for each omitted step
 */
export async function prepareRelease(root: string, choices: ReleaseChoices, skip: (reason: string) => void) {
  const version = versionOf(root);
  const { date, goModule, repository, baseDigest } = choices;
  if (goModule) setGoModule(root, goModule);
  if (repository) setRepository(root, repository);
  writeOneVersion(root);
  await pinBaseImages(join(root, "deploy/Dockerfile"), baseDigest, skip);
  dateChangelogs(root, version, date);
  recordReleasedMigrations(root);
  const { status, out, err } = await runSystem(
    process.execPath,
    ["lib/cli/run-typescript.mjs", "lib/testing/regenerate-derived-files.ts"],
    { cwd: root },
  );
  if (status !== 0) throw new Error(`npm run derive failed:\n${out}${err}`);
}

function dateChangelogs(root: string, version: string, date: string): void {
  const change = (file: string, work: (text: string) => string) =>
    writeFileSync(join(root, file), work(readFileSync(join(root, file), "utf8")));
  const dated = packages.every((file) => isDated(readFileSync(join(root, file), "utf8"), version));
  change("CHANGELOG.md", (text) => datedChangelog(text, version, date));
  for (const file of packages) change(file, (text) => datedPackageChangelog(file, text, version, date));
  if (dated) return;
  // The hosted archives of an unreleased version may still change, for the last time.
  const hosted = join(root, "public/client");
  for (const name of readdirSync(hosted)) if (name.includes(`-${version}`)) rmSync(join(hosted, name));
}

/** Returns the files of two checkouts that differ, among those that git tracks in the first. */
export function changedFiles(root: string, copy: string): string[] {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  const differs = (file: string) =>
    !existsSync(join(copy, file)) ||
    !existsSync(join(root, file)) ||
    !readFileSync(join(root, file)).equals(readFileSync(join(copy, file)));
  return tracked.split("\0").filter((file) => file && differs(file));
}
