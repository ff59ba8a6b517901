import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endLeftRunning, leftRunning } from "./leftover-processes.mjs";

/*
 * A killed run can't remove its folders and mounts, so the next run removes them. Their names contain
 * the ID of the process that created them.
 */

/** The start of the name of a folder that contains a former version. */
export const formerPrefix = `.next-former-${process.pid}-`;
/** The start of the name of a folder in which a disk is mounted. */
export const diskPrefix = `disk-${process.pid}-`;

/**
 * Removes what killed runs left: former versions in the checkout, and mounted disks with the servers
 * on them.
 * @param {string} root the checkout
 */
export async function removeLeftovers(root) {
  for (const name of readdirSync(root)) {
    const [, pid] = /^\.next-former-(\d+)-/.exec(name) ?? [];
    if (pid && hasEnded(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
  for (const mount of mounts()) {
    const [, run = "", pid] = /^(\/.*\/csn-\w+)\/disk-(\d+)-\w+\//.exec(mount) ?? [];
    if (!pid || !hasEnded(Number(pid))) continue;
    // Its servers still use the disk.
    await endLeftRunning(run, 0);
    for (let tries = 0; tries < 100 && leftRunning(run).length > 0; tries++) await sleep(100);
    if (unmount(mount)) rmSync(run, { recursive: true, force: true });
  }
}

/**
 * Unmounts the disks in a run's temporary folder, which otherwise can't be removed.
 * @param {string} folder
 */
export function unmountIn(folder) {
  for (const mount of mounts()) if (mount.startsWith(`${folder}/`)) unmount(mount);
}

/** @returns {string[]} */
function mounts() {
  if (process.platform !== "linux") return [];
  const lines = readFileSync("/proc/mounts", "utf8").split("\n");
  return lines.map((line) => line.split(" ")[1] ?? "");
}

/**
 * Unmounts a disk, unless a process still uses it.
 * @param {string} mount
 */
function unmount(mount) {
  try {
    execFileSync("umount", [mount], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** @param {number} pid */
function hasEnded(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
  }
}
