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
import { clock } from "@/lib/clock";
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
  /** Additional settings, such as `fsync=off` for a temporary database. */
  settings?: string[];
};

/** The error thrown if PostgreSQL can't be used. Its message is for the operator. */
export class PostgresError extends Error {}

/** The superuser of every embedded PostgreSQL. */
export const superuser = "countersign";

/**
 * Creates the data folder, with the superuser's password. The folder appears either complete or not
 * at all. If several processes create it at the same time, the first one to finish wins.
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
 * Starts PostgreSQL on 127.0.0.1, detached, so that Ctrl-C does not reach it. PostgreSQL itself
 * handles a lock file left by a crash.
 * @param wanted the port, by default a free one
 * @returns the port on which PostgreSQL runs; if another process started it first, that process's
 * port
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
      // Another attempt may succeed. The port may have been taken in the meantime, or processes of
      // a killed PostgreSQL may still be exiting.
      if (attempt === 5)
        throw new PostgresError(`PostgreSQL failed to start${lastWords(instance)}. See ${instance.log}.`, {
          cause: error,
        });
      await clock.pause(300 * attempt);
    }
  }
}

/** Returns the log's last fatal error, preceded by a colon, or an empty string if there is none. */
function lastWords(instance: Instance): string {
  const lines = readFileSync(instance.log, "utf8").slice(-4000).split("\n");
  const [, why] = /(?:FATAL|PANIC): +(.*?)\.?$/.exec(lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? "") ?? [];
  return why ? `: ${why}` : "";
}

/** Closes every connection, and stops PostgreSQL after it has written everything. */
export async function stop(instance: Instance): Promise<void> {
  if (await isRunning(instance))
    await run(instance, "pg_ctl", ["stop", "-w", "-t", "60", "-s", "-m", "fast", "-D", instance.data]);
}

/**
 * Whether PostgreSQL is running. Removes the lock file if its process ID now belongs to another
 * program, for example after a container restart.
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

/** Returns the port of a running PostgreSQL, which is on the fourth line of its lock file. */
export const runningPort = (instance: Instance): number | undefined => Number(lockFile(instance)[3]) || undefined;

function lockFile({ data }: Instance): string[] {
  try {
    return readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

/*
 * Settings for a small machine with a slow disk; durability stays at PostgreSQL's default. The
 * first change of a page after a checkpoint writes the whole page to the log, so checkpoints are 15
 * minutes apart and pages are compressed; after a crash, at most one gigabyte of log is replayed.
 * random_page_cost is low, because most pages are cached, and the default would make the planner
 * sort all of an owner's rows instead of using their index.
 */
const common = `
  max_connections=100 shared_buffers=128MB checkpoint_timeout=15min max_wal_size=1GB wal_compression=on
  random_page_cost=1.1 password_encryption=scram-sha-256 timezone=UTC log_timezone=UTC`
  .trim()
  .split(/\s+/);

function give({ account }: Instance, path: string) {
  if (account) chownSync(path, account.uid, account.gid);
}

/** Runs a PostgreSQL program until it exits. If it fails, the error contains its output. */
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
      // Runs in a separate process group, because Ctrl-C must not interrupt PostgreSQL while it
      // stops.
      detached: true,
    });
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${program} failed: ${output.trim()}`))));
  });
}
