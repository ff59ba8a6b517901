import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];

/**
 * Finds a program that not every machine has.
 * @param setting the environment variable that may contain the program's path
 * @param good returns whether the program at a path is usable
 * @returns the program's path, or undefined if there is none
 */
export function findProgram(name: string, setting?: string, good: (path: string) => boolean = () => true) {
  const named = setting && process.env[setting];
  return (named ? [named] : folders.map((folder) => join(folder, name))).filter(isExecutable).find(good);
}

/** Returns a program's version output. */
export const versionOf = (path: string, flag = "--version"): string => {
  const { stdout, stderr } = spawnSync(path, [flag], { encoding: "utf8" });
  return `${stdout}${stderr}`;
};

/**
 * Installs packages, if this process is root on a Debian-based system without systemd. With
 * systemd, an installed package could start a service on this machine.
 * @returns whether it tried
 */
export function installPackages(...names: string[]): boolean {
  const inContainer = !existsSync("/run/systemd/system");
  if (process.getuid?.() !== 0 || !inContainer || !isExecutable("/usr/bin/apt-get")) return false;
  const run = (...args: string[]) =>
    spawnSync("apt-get", args, {
      stdio: "ignore",
      timeout: 300_000,
      // In runlevel 1, no service starts.
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    });
  run("update", "-qq");
  run("install", "-y", "-qq", "--no-install-recommends", ...names);
  return true;
}

/** Whether the current user may run this file. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
