import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Ticks per second in /proc, the same on every Linux. */
const ticks = 100;

/** CPU seconds of a process and its descendants, including ended ones. */
export function cpuSeconds(root: number): number {
  const all = processes();
  const spent = withChildren(root, all).reduce((sum, pid) => sum + (all.get(pid)?.spent ?? 0), 0);
  return (spent + (all.get(root)?.ofEnded ?? 0)) / ticks;
}

/** Returns a process and its descendants. */
export const withChildren = (root: number, all = processes()): number[] => [
  root,
  ...[...all].flatMap(([pid, { parent }]) => (parent === root ? withChildren(pid, all) : [])),
];

/** Resident memory in MiB of a process and its descendants. */
export const resident = ({ pid = 0 }: ChildProcess) =>
  withChildren(pid).reduce(
    (sum, one) => sum + Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${one}/status`))?.[1] ?? 0),
    0,
  ) / 1024;

/**
 * Resident memory in MiB of a process that has served no request. V8 returns the memory that the
 * start used only after some idle seconds, so this waits for that, for at most 40 seconds.
 */
export async function residentAtRest(child: ChildProcess): Promise<number> {
  const started = resident(child);
  let now = started;
  for (let second = 0; second < 40 && now > 0.9 * started; second++) {
    await sleep(1000);
    now = resident(child);
  }
  return now;
}

/** Every process with its parent, its ticks, and its ended children's ticks. */
function processes() {
  const all = new Map<number, { parent: number; spent: number; ofEnded: number }>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const line = read(`/proc/${pid}/stat`);
    // The program's name is in parentheses, and can itself contain spaces and parentheses.
    const [, parent, ...rest] = line.slice(line.lastIndexOf(")") + 2).split(" ");
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.slice(9, 13).map(Number);
    all.set(Number(pid), { parent: Number(parent), spent: user + system, ofEnded: endedUser + endedSystem });
  }
  return all;
}

/** Empty if the process has just ended. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
