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

/** An embedded PostgreSQL: its program, account, files and log. */
export type Instance = {
  binaries: Binaries;
  account: Account | undefined;
  /** The data folder (PGDATA). */
  data: string;
  log: string;
  /** Additional settings, like `fsync=off` for a temporary database. */
  settings?: string[];
};

/** An embedded PostgreSQL that cannot be used. The message is for the operator. */
export class PostgresError extends Error {}

/** The superuser of every embedded PostgreSQL. */
export const superuser = "countersign";

/**
 * Creates the data folder, with the superuser's password. The folder appears complete or not at
 * all. Of several concurrent processes, the first one creates it.
 */
export async function initialize(instance: Instance, password: string): Promise<void> {
  const unfinished = mkdtempSync(`${instance.data}.new-`);
  const passwordFile = `${unfinished}.password`;
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    give(instance, passwordFile);
    give(instance, unfinished);
    await run(instance, "initdb", [
      ...["-D", unfinished, "-U", superuser, `--pwfile=${passwordFile}`],
      ...["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"],
      ...(instance.settings?.includes("fsync=off") ? ["--no-sync"] : []),
    ]);
    renameSync(unfinished, instance.data);
  } catch (error) {
    if (!existsSync(join(instance.data, "PG_VERSION"))) throw error;
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * Starts PostgreSQL on 127.0.0.1. It is detached, so that our Ctrl-C does not reach it and it
 * outlives our draining. PostgreSQL itself checks a lock file left by a crash.
 * @param wanted the port; by default, a free port
 * @returns the port, or the port of another process that started PostgreSQL first
 */
export async function start(instance: Instance, wanted?: number): Promise<number> {
  if (!existsSync(instance.log)) closeSync(openSync(instance.log, "a", 0o600));
  give(instance, instance.log);
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await freePort());
    const needed = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="];
    const options = [...needed, ...common, ...(instance.settings ?? [])].map((setting) => `-c ${setting}`).join(" ");
    try {
      const how = "start -w -t 60 -s -D".split(" ");
      await run(instance, "pg_ctl", [...how, instance.data, "-l", instance.log, "-o", options]);
      return port;
    } catch (error) {
      const theirs = (await isRunning(instance)) && runningPort(instance);
      if (theirs) return theirs;
      // A later attempt may succeed: the port may be taken by now, or processes of a killed
      // PostgreSQL may still be exiting.
      if (attempt === 5)
        throw new PostgresError(`PostgreSQL failed to start${lastWords(instance)}. See ${instance.log}.`, {
          cause: error,
        });
      await new Promise((resolve) => setTimeout(resolve, 300 * attempt));
    }
  }
}

/** Returns the reason for the exit, according to the log. */
function lastWords(instance: Instance): string {
  const lines = readFileSync(instance.log, "utf8").slice(-4000).split("\n");
  const [, why] = /(?:FATAL|PANIC): +(.*?)\.?$/.exec(lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? "") ?? [];
  return why ? `: ${why}` : "";
}

/** Closes every connection, and stops after everything is written. */
export async function stop(instance: Instance): Promise<void> {
  if (await isRunning(instance))
    await run(instance, "pg_ctl", ["stop", "-w", "-t", "60", "-s", "-m", "fast", "-D", instance.data]);
}

/**
 * Whether PostgreSQL runs. Removes a lock file whose process ID now belongs to another program, as
 * after a container restart.
 */
export async function isRunning(instance: Instance): Promise<boolean> {
  try {
    await run(instance, "pg_ctl", ["status", "-D", instance.data]);
  } catch {
    return false;
  }
  const [pid = ""] = lockFile(instance);
  const commandLine = `/proc/${pid}/cmdline`;
  if (!existsSync(commandLine) || readFileSync(commandLine, "utf8").includes("postgres")) return true;
  rmSync(join(instance.data, "postmaster.pid"), { force: true });
  return false;
}

/** Returns the port of a running PostgreSQL, from the fourth line of its lock file. */
export const runningPort = (instance: Instance): number | undefined => Number(lockFile(instance)[3]) || undefined;

function lockFile({ data }: Instance): string[] {
  try {
    return readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

/*
 * Settings for a small machine with a slow disk, and PostgreSQL's default durability. After a
 * checkpoint, the first change to each page logs the whole page, so checkpoints are 15 minutes
 * apart and these pages are compressed. A restart after a crash replays at most one gigabyte of
 * log, in seconds. Most pages are cached, so random_page_cost is low. With its default of 4, the
 * planner would sort all of an owner's rows instead of reading one page by their index.
 */
const common = `
  max_connections=100 shared_buffers=128MB checkpoint_timeout=15min max_wal_size=1GB wal_compression=on
  random_page_cost=1.1 password_encryption=scram-sha-256 timezone=UTC log_timezone=UTC`
  .trim()
  .split(/\s+/);

function give({ account }: Instance, path: string) {
  if (account) chownSync(path, account.uid, account.gid);
}

/** Runs a PostgreSQL program until it exits. Its output appears only in the error message. */
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
      // A separate process group, because Ctrl-C during a stop must not leave PostgreSQL half
      // stopped.
      detached: true,
    });
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${program} failed: ${output.trim()}`))));
  });
}
