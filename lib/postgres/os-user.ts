import { spawnSync } from "node:child_process";

/** Reports progress to the operator. */
export type Tell = (line: string) => void;

/**
 * The system account that runs PostgreSQL if the service runs as root, because PostgreSQL refuses
 * to run as root.
 */
export type Account = { name: string; uid: number; gid: number };

let found: Account | undefined;

/**
 * Returns the account that runs PostgreSQL, if the current user is root: `postgres`, created if
 * possible, or otherwise `nobody`. Undefined for other users.
 */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  // Cached, because each lookup starts programs.
  found ??= find("postgres") ?? create("postgres") ?? find("nobody");
  if (!found)
    throw new Error(
      "PostgreSQL does not run as root, and this computer has neither the user postgres nor the user nobody. Create an unprivileged user, then start the service as that user.",
    );
  return found;
}

/**
 * Returns options for `spawn` that run a program as this account, in a folder that the account can
 * enter.
 */
export const asUser = (account: Account | undefined) =>
  account ? { uid: account.uid, gid: account.gid, cwd: "/" } : { cwd: "/" };

/**
 * Whether a shell test such as `-x` succeeds for the account. A shell runs it, because the
 * permissions of all parent folders matter.
 */
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

/** Creates a system account with `useradd` or, on small systems, with `adduser`. */
function create(name: string): Account | undefined {
  spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", name]);
  if (!find(name)) spawnSync("adduser", ["-S", "-D", "-H", name]);
  return find(name);
}
