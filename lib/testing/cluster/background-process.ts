import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import type { Account } from "@/lib/postgres/os-user";

/** Another program's server that runs during a test. */
export type Background = {
  child: ChildProcess;
  /** All of the server's output so far. */
  output(): string;
  ended: Promise<unknown>;
  /** Ends the server and waits for its exit. */
  kill(signal?: NodeJS.Signals): Promise<void>;
};

/**
 * Starts a program in its own process group, so that signals can reach its children too.
 * @param account the account that runs the program, by default the current one
 */
export function background(
  program: string,
  args: readonly string[],
  { account, env }: { account?: Account | undefined; env?: Record<string, string> } = {},
): Background {
  const child = spawn(program, args, {
    detached: true,
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
    child.on("error", (error) => {
      printed += String(error);
      resolve();
    });
  });
  const kill = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  return { child, output: () => printed, ended, kill };
}

/**
 * Waits until a program listens on a port.
 * @throws with the program's output if the program exits first
 */
export async function listening({ child, output }: Background, port: number): Promise<void> {
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, "127.0.0.1");
        socket.on("error", () => resolve(false));
        socket.on("connect", () => {
          socket.destroy();
          resolve(true);
        });
      }),
    () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended:\n${output()}`);
      return `it does not listen:\n${output()}`;
    },
    30,
  );
}

/**
 * Waits until a condition holds.
 * @param problem describes the failure for the error after a timeout
 * @param seconds the timeout
 */
export async function until(
  holds: () => Promise<unknown> | unknown,
  problem: () => string,
  seconds = 60,
): Promise<void> {
  const giveUp = Date.now() + seconds * 1000;
  while (!(await holds())) {
    const text = problem();
    if (Date.now() > giveUp) throw new Error(`Not within ${seconds} s: ${text}`);
    await pause(50);
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
