import { spawnSync } from "node:child_process";

/** How the operator is told what goes on. */
export type Tell = (line: string) => void;

/** The system account that Postgres runs under when we are root, which Postgres refuses to be. */
export type Account = { name: string; uid: number; gid: number };

let found: Account | undefined;

/**
 * Whom to run Postgres as: nobody else (undefined) unless we are root, then `postgres`, made if it can be, or else `nobody`.
 */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  // Each look takes programs that have to be started.
  found ??= find("postgres") ?? create("postgres") ?? find("nobody");
  if (!found) throw new Error("PostgreSQL refuses to run as root, and there is no unprivileged user to run it as.");
  return found;
}

/** Options for `spawn` that run a program as the account, in a folder it can surely enter. */
export const asUser = (account: Account | undefined) =>
  account ? { uid: account.uid, gid: account.gid, cwd: "/" } : { cwd: "/" };

/** Whether the account passes a shell test like `-x` on a path: asked of the system, since every folder above counts too. */
export const canEnter = (account: Account | undefined, test: "-x" | "-r" | "-w", path: string): boolean =>
  spawnSync("/bin/sh", ["-c", 'test "$1" "$2"', "sh", test, path], asUser(account)).status === 0;

function find(name: string): Account | undefined {
  const [uid, gid] = [id("-u", name), id("-g", name)];
  return uid === undefined || gid === undefined ? undefined : { name, uid, gid };
}

function id(flag: string, name: string): number | undefined {
  const { status, stdout } = spawnSync("id", [flag, name], { encoding: "utf8" });
  return status === 0 ? Number(stdout.trim()) : undefined;
}

/** With the tools of most Linux systems, then of the small ones. */
function create(name: string): Account | undefined {
  spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", name]);
  if (!find(name)) spawnSync("adduser", ["-S", "-D", "-H", name]);
  return find(name);
}
