import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { findProgram, installPackages, isExecutable, versionOf } from "../find-program";

/**
 * Finds Patroni 3.0.3 or newer, which never takes the leader's lock from another server
 * (docs/operations/clusters.md).
 */
export const findPatroni = (): string | undefined =>
  findProgram("patroni", "PATRONI_PATH", (path) => {
    const [, major, minor, patch] = (/ (\d+)\.(\d+)\.(\d+)/.exec(versionOf(path)) ?? []).map(Number);
    return (major ?? 0) * 10_000 + (minor ?? 0) * 100 + (patch ?? 0) >= 3_00_03;
  });

const version = "4.1.5";
const folder = join(process.cwd(), "node_modules", ".cache", "patroni", version);
const installed = join(folder, "bin", "patroni");

/**
 * Provides a Patroni for tests. If the system's is missing or too old, installs one from PyPI, and
 * puts its path in PATRONI_PATH.
 * @returns a message if this failed
 */
export function bringPatroni(): string | undefined {
  if (findPatroni()) return undefined;
  try {
    if (!isExecutable(installed)) install();
    process.env.PATRONI_PATH = installed;
    return undefined;
  } catch (error) {
    return `Without Patroni 3.0.3 or newer its tests are skipped, and "python3 -m pip install patroni" did not bring it: ${String(error).split("\n")[0]}`;
  }
}

function install(): void {
  installPackages("python3-venv");
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { stdio: "ignore", timeout: 300_000 });
  try {
    // Prefers the system's Python, because PostgreSQL's account runs Patroni and can't read our
    // account's files.
    run(isExecutable("/usr/bin/python3") ? "/usr/bin/python3" : "python3", "-m", "venv", folder);
    run(
      join(folder, "bin", "pip"),
      "install",
      "--quiet",
      `patroni[etcd3,psycopg3]==${version}`,
      "psycopg[binary]==3.3.9",
    );
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
