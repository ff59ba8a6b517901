import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  type DemoConfig,
  isDemoRunning,
  moveDemo,
  portTaken,
  readDemo,
  setDemoIdentity,
  toDemoIdentity,
} from "@/lib/demo-identity/config";
import { log } from "@/lib/log";
import { loop } from "@/lib/work/loop";

/** Interval between checks of the config file and of the provider, in milliseconds. */
const every = 500;
/**
 * Checks during which another program may hold the port before the provider moves, and checks to
 * skip after a failed start.
 */
const patience = 3;
const pause = 10;

/** Whether its package is installed. The seed installs it; `npm start` alone does not. */
export const isDemoInstalled = (): boolean => existsSync("node_modules/oidc-provider");

/**
 * Run the "Demo identity" next to the service while its config file exists. It runs in its own
 * process, which all instances with this data folder share. Linked accounts see the provider while
 * it responds.
 * @returns a stop function, which resolves once our process has ended
 */
export function startDemo(folder: string): () => Promise<void> {
  type State = { child?: ChildProcess | undefined; port?: number; wait: number; taken: number; missed?: true };
  const it: State = { wait: 0, taken: 0 };

  const begin = (kept: DemoConfig) => {
    const program = ["lib/cli/run.mjs", "lib/demo-identity/main.ts", folder];
    const { PATH, HOME, NODE_ENV } = process.env;
    const child = spawn(process.execPath, program, {
      env: { PATH, HOME, NODE_ENV },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let said = "";
    child.stderr?.on("data", (text) => {
      said = (said + text).slice(-2000);
    });
    const ended = (code: number | null) => {
      if (it.child !== child) return;
      if (code && code !== portTaken) log.warn("the Demo identity failed to start", { said });
      it.child = undefined;
      it.taken = code === portTaken ? it.taken + 1 : 0;
      it.wait = code === portTaken ? 0 : pause;
    };
    child.on("exit", ended).on("error", () => ended(null));
    Object.assign(it, { child, port: kept.port });
  };

  const look = async (stopping: AbortSignal) => {
    const kept = readDemo(folder);
    const answers = kept !== undefined && (await isDemoRunning(kept));
    setDemoIdentity(answers ? toDemoIdentity(kept) : undefined);
    if (answers) it.taken = 0;
    // The provider was turned off, or moved by another instance.
    if (it.child && it.port !== kept?.port) it.child.kill();
    if (answers || !kept || it.child || stopping.aborted) return;
    if (!isDemoInstalled()) {
      if (!it.missed) log.warn("the Demo identity is no longer installed: npm run seed -- --again brings it back");
      it.missed = true;
    } else if (it.wait > 0) it.wait--;
    else if (it.taken < patience) begin(kept);
    else {
      it.taken = 0;
      await moveDemo(folder, kept);
    }
  };

  const watching = loop({
    first: 0,
    intervalMs: every,
    failureMessage: "the Demo identity could not be checked",
    run: look,
  });

  return async () => {
    await watching.stop();
    setDemoIdentity(undefined);
    const { child } = it;
    if (!child) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill();
    await gone;
  };
}
