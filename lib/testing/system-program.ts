import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];

/**
 * A program that not every machine has.
 * @param setting the variable that may name it
 * @param good whether it is one that we can use
 * @returns its path, or undefined where there is none
 */
export function findProgram(name: string, setting?: string, good: (path: string) => boolean = () => true) {
  const named = setting && process.env[setting];
  return (named ? [named] : folders.map((folder) => join(folder, name))).filter(isExecutable).find(good);
}

/** What a program says when it is asked for its version. */
export const versionOf = (path: string, flag = "--version"): string => {
  const { stdout, stderr } = spawnSync(path, [flag], { encoding: "utf8" });
  return `${stdout}${stderr}`;
};

/**
 * Install packages where that is possible: on Debian and its kin, as root. Not where systemd runs, which would start them as this
 * machine's own services.
 * @returns whether it was tried
 */
export function installPackages(...names: string[]): boolean {
  const inContainer = !existsSync("/run/systemd/system");
  if (process.getuid?.() !== 0 || !inContainer || !isExecutable("/usr/bin/apt-get")) return false;
  const run = (...args: string[]) =>
    spawnSync("apt-get", args, {
      stdio: "ignore",
      timeout: 300_000,
      // In runlevel 1 no service is started.
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    });
  run("update", "-qq");
  run("install", "-y", "-qq", "--no-install-recommends", ...names);
  return true;
}

/** Whether we may run what is there. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
