import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/lib/net/free-port";
import { asUser, serverAccount } from "@/lib/postgres/os-user";
import { withClient } from "@/lib/postgres/with-client";
import { findProgram, versionOf } from "./find-program";

/** Why tests without PgBouncer are skipped. */
export const noPgBouncer = "needs PgBouncer 1.21 or newer in PATH, or at PGBOUNCER_PATH";

/**
 * Finds a PgBouncer that supports prepared statements: the one at PGBOUNCER_PATH, or the system's.
 */
export const findPgBouncer = (): string | undefined =>
  findProgram("pgbouncer", "PGBOUNCER_PATH", (path) => {
    const [, minor] = /^PgBouncer 1\.(\d+)/.exec(versionOf(path)) ?? [];
    return Number(minor) >= 21;
  });

/**
 * Starts PgBouncer on loopback, in front of a database.
 * @param url the database's URL, whose role and password PgBouncer also uses
 * @param settings additional settings
 */
export async function startPgBouncer(program: string, url: string, settings: Record<string, string | number>) {
  const target = new URL(url);
  const account = serverAccount();
  const folder = mkdtempSync(join(tmpdir(), "countersign-pgbouncer-"));
  const port = await freePort("127.0.0.1");
  const write = (name: string, lines: string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  const users = write("users", [`"${target.username}" "${target.password}"`]);
  const configuration = write("pgbouncer.ini", [
    "[databases]",
    `* = host=${target.hostname} port=${target.port}`,
    "[pgbouncer]",
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir ="],
    ...["auth_type = scram-sha-256", `auth_file = ${users}`],
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
  ]);
  if (account) chownSync(folder, account.uid, account.gid);
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  const begin = async () => {
    const child = spawn(program, ["-q", configuration], { ...asUser(account), stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    const giveUp = Date.now() + 20_000;
    while (!(await withClient(through.href, async () => true).catch(() => false))) {
      if (child.exitCode !== null || Date.now() > giveUp) throw new Error(`PgBouncer did not start:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return child;
  };
  let child = await begin();
  const kill = async () => {
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    url: through.href,
    kill,
    start: async () => {
      child = await begin();
    },
    end: async () => {
      if (child.exitCode === null && child.signalCode === null) await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
