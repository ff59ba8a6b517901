import { execFileSync } from "node:child_process";

/** The IDs of the service's or a test's child processes (lib/serving), in order. */
export function processesOf(parent: number | undefined): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "ppid=,pid=,stat=,args="], { encoding: "utf8" }).split("\n");
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([ppid, , stat = "Z", ...args]) =>
        Number(ppid) === parent && stat[0] !== "Z" && /\b(child-process\.js|worker\.mjs)/.test(args.join(" ")),
    )
    .map(([, pid]) => Number(pid));
}

/** Whether a process that is not our child still exists. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
