import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Ticks of /proc in a second: the same on every Linux. */
const ticks = 100;

/** Processor time in seconds of a process and all below it, those that ended under it included. */
export function cpuSeconds(root: number): number {
  const all = processes();
  const spent = withChildren(root, all).reduce((sum, pid) => sum + (all.get(pid)?.spent ?? 0), 0);
  return (spent + (all.get(root)?.ofEnded ?? 0)) / ticks;
}

/** A process and all below it. */
export const withChildren = (root: number, all = processes()): number[] => [
  root,
  ...[...all].flatMap(([pid, { parent }]) => (parent === root ? withChildren(pid, all) : [])),
];

/** Resident memory in MiB of a process and all below it. */
export const resident = ({ pid = 0 }: ChildProcess) =>
  withChildren(pid).reduce(
    (sum, one) => sum + Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${one}/status`))?.[1] ?? 0),
    0,
  ) / 1024;

/** Every process with the one above it, the ticks it took, and those of its ended children. */
function processes() {
  const all = new Map<number, { parent: number; spent: number; ofEnded: number }>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const line = read(`/proc/${pid}/stat`);
    // What the program is called stands in brackets, and may hold blanks and brackets too.
    const [, parent, ...rest] = line.slice(line.lastIndexOf(")") + 2).split(" ");
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.slice(9, 13).map(Number);
    all.set(Number(pid), { parent: Number(parent), spent: user + system, ofEnded: endedUser + endedSystem });
  }
  return all;
}

/** Empty where the process has just ended. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
