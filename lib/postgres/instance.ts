import { spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "@/lib/net/free-port";
import type { Binaries } from "./binaries";
import { type Account, asUser } from "./os-user";

/** One Postgres of our own: which program, whose, and where its files and its log are. */
export type Instance = {
  binaries: Binaries;
  account: Account | undefined;
  /** Its data folder (PGDATA). */
  data: string;
  log: string;
  /** Settings beside the ones it needs, like `fsync=off` for a throw-away one. */
  settings?: string[];
};

/** A PostgreSQL of ours that cannot be used; the message is for the operator. */
export class PostgresError extends Error {}

/** The superuser of every Postgres of ours. */
export const superuser = "countersign";

/**
 * Make the data folder, with the superuser's password. It appears whole or not at all; where several copies of us make it at
 * once, the first one counts.
 */
export async function initialize(it: Instance, password: string): Promise<void> {
  const unfinished = mkdtempSync(`${it.data}.new-`);
  const passwordFile = `${unfinished}.password`;
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    give(it, passwordFile);
    give(it, unfinished);
    await run(it, "initdb", [
      ...["-D", unfinished, "-U", superuser, `--pwfile=${passwordFile}`],
      ...["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"],
      ...(it.settings?.includes("fsync=off") ? ["--no-sync"] : []),
    ]);
    renameSync(unfinished, it.data);
  } catch (error) {
    if (!existsSync(join(it.data, "PG_VERSION"))) throw error;
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * Start Postgres on 127.0.0.1, detached: a Ctrl-C meant for us does not reach it, so that it outlives our draining. A lock
 * file left by a crash is its own to judge.
 * @param wanted the port, or a free one
 * @returns the port, which is another copy's where that one was quicker to start it
 */
export async function start(it: Instance, wanted?: number): Promise<number> {
  if (!existsSync(it.log)) closeSync(openSync(it.log, "a", 0o600));
  give(it, it.log);
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await freePort());
    const needed = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="];
    const options = [...needed, ...common, ...(it.settings ?? [])].map((setting) => `-c ${setting}`).join(" ");
    try {
      await run(it, "pg_ctl", ["start", "-w", "-t", "60", "-s", "-D", it.data, "-l", it.log, "-o", options]);
      return port;
    } catch (error) {
      const theirs = (await isRunning(it)) && runningPort(it);
      if (theirs) return theirs;
      // The port was taken meanwhile, or processes of a killed Postgres have not all gone yet.
      if (attempt === 5)
        throw new PostgresError(`PostgreSQL did not start${lastWords(it)}; see ${it.log}.`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 300 * attempt));
    }
  }
}

/** Why it ended, as it wrote in its log. */
function lastWords(it: Instance): string {
  const lines = readFileSync(it.log, "utf8").slice(-4000).split("\n");
  const [, why] = /(?:FATAL|PANIC): +(.*?)\.?$/.exec(lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? "") ?? [];
  return why ? `: ${why}` : "";
}

/** End every connection and stop, everything written. */
export async function stop(it: Instance): Promise<void> {
  if (await isRunning(it)) await run(it, "pg_ctl", ["stop", "-w", "-t", "60", "-s", "-m", "fast", "-D", it.data]);
}

/** Whether it runs. A lock file that names a process which is something else by now, as after a restart of a container, goes. */
export async function isRunning(it: Instance): Promise<boolean> {
  try {
    await run(it, "pg_ctl", ["status", "-D", it.data]);
  } catch {
    return false;
  }
  const [pid = ""] = lockFile(it);
  const commandLine = `/proc/${pid}/cmdline`;
  if (!existsSync(commandLine) || readFileSync(commandLine, "utf8").includes("postgres")) return true;
  rmSync(join(it.data, "postmaster.pid"), { force: true });
  return false;
}

/** The port that a running one listens on, as it wrote it down: the fourth line of its lock file. */
export const runningPort = (it: Instance): number | undefined => Number(lockFile(it)[3]) || undefined;

function lockFile({ data }: Instance): string[] {
  try {
    return readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

/*
 * For a small machine with a disk that is slower than its processor, and nothing less durable than PostgreSQL is by itself. A
 * checkpoint is followed by a whole page in the log for each page that is changed: of an answer to an old question these are nine
 * tenths of what it writes. So there are fewer checkpoints, a quarter of an hour apart, and the pages are compressed, to a
 * quarter; a restart after a crash replays at most the gigabyte of log that is kept, some seconds. What is asked and answered
 * lately fits in the shared buffers, and the system's own cache keeps the rest: a page anywhere costs hardly more than the next one.
 * A planner that takes it for four times as much reads and sorts all of an owner's rows rather than a page of them by their index.
 */
const common = [
  "max_connections=100",
  "shared_buffers=128MB",
  "checkpoint_timeout=15min",
  "max_wal_size=1GB",
  "wal_compression=on",
  "random_page_cost=1.1",
  "password_encryption=scram-sha-256",
  "timezone=UTC",
  "log_timezone=UTC",
];

function give({ account }: Instance, path: string) {
  if (account) chownSync(path, account.uid, account.gid);
}

/** Run one of Postgres's programs to its end. Its words travel in the error, nowhere else. */
function run({ binaries, account }: Instance, program: "initdb" | "pg_ctl", args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(binaries.folder, "bin", program), args, {
      ...asUser(account),
      env: {
        NODE_ENV: process.env.NODE_ENV,
        PATH: process.env.PATH,
        LC_ALL: "C",
        TZ: "UTC",
        HOME: dirname(binaries.folder),
      },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: Ctrl-C in the middle of a stop must not leave a half-stopped Postgres.
      detached: true,
    });
    let said = "";
    child.stdout.on("data", (text) => (said += text));
    child.stderr.on("data", (text) => (said += text));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${program} failed: ${said.trim()}`))));
  });
}
