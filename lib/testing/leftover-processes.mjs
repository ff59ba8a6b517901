import { readdirSync, readFileSync } from "node:fs";

/**
 * Finds the processes that a test run has left running, by the run's temporary folder in their
 * environment or command line. Works only on Linux. Elsewhere, the list is empty.
 */
export function leftRunning(folder) {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!pid || pid === process.pid) return [];
    const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
    // A zombie process has no command line.
    if (!command || !(command + read(`/proc/${pid}/environ`)).includes(folder)) return [];
    if (isOwnCompiler(pid, command)) return [];
    return [{ pid, command }];
  });
}

/**
 * Waits until a test run's processes have ended, and kills those that remain.
 * @param {string} folder the run's temporary folder
 * @param {number} milliseconds how long to wait before killing
 * @returns {Promise<string[]>} the killed processes, with ID and command line
 */
export async function endLeftRunning(folder, milliseconds) {
  const giveUp = performance.now() + milliseconds;
  while (leftRunning(folder).length > 0 && performance.now() < giveUp)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return leftRunning(folder).map(({ pid, command }) => {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Ignored, because the process has already ended.
    }
    return `${pid} ${command.slice(0, 200)}`;
  });
}

/**
 * Whether the process is the esbuild that tsx started for this process. It ends together with this
 * process.
 * @param {number} pid
 * @param {string} command
 */
const isOwnCompiler = (pid, command) =>
  /\besbuild --service=/.test(command) &&
  /^PPid:\s+(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1] === `${process.pid}`;

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, "latin1");
  } catch {
    // Ignored, because the process has ended or belongs to another user.
    return "";
  }
}
