import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "@/lib/net/free-port";
import { findProgram, installPackages, isExecutable, versionOf } from "./find-program";
import { aCertificate } from "./self-signed-certificate";

/** Why tests without Dovecot are skipped. */
export const noDovecot =
  "There is no Dovecot 2.3 to test mail accounts with, so tests of a real IMAP server are skipped: " +
  '"apt-get install dovecot-imapd", or set DOVECOT_PATH to one.';

/**
 * Finds a Dovecot 2.3 for tests: the one at DOVECOT_PATH, or the system's. Other versions have a
 * different configuration.
 * @returns its path, or undefined if there is none
 */
export const findDovecot = (): string | undefined =>
  findProgram("dovecot", "DOVECOT_PATH", (path) => /^2\.3\./.test(versionOf(path)) && imapPrograms.some(isExecutable));
/** Where Dovecot's IMAP program may be. In Debian, it is a separate package. */
const imapPrograms = ["/usr/lib/dovecot/imap", "/usr/libexec/dovecot/imap", "/usr/local/libexec/dovecot/imap"];

/**
 * Installs Dovecot if possible.
 * @returns undefined if it is available now, otherwise instructions
 */
export function installDovecot(): string | undefined {
  installPackages("dovecot-imapd");
  return findDovecot() ? undefined : noDovecot;
}

export type Dovecot = {
  /** The port with TLS from the first byte. */
  imapsPort: number;
  /** The port with STARTTLS, which the server requires before a password. */
  imapPort: number;
  /** The certificate that a client must trust. */
  ca: string;
  key: string;
  /**
   * Sets a mailbox's password, or closes the mailbox if the password is `undefined`. Resolves once
   * the change has taken effect.
   */
  setPassword(user: string, password: string | undefined): Promise<void>;
  /** The log of successful and failed logins. */
  output(): string;
  stop(): Promise<void>;
};

/**
 * Starts a local IMAP server with temporary mailboxes. `names` are the names in its certificate.
 */
export async function startDovecot(names: string[], passwords: Record<string, string> = {}): Promise<Dovecot> {
  const program = findDovecot();
  if (!program) throw new Error(noDovecot);
  const folder = mkdtempSync(join(tmpdir(), "countersign-dovecot-"));
  chmodSync(folder, 0o755);
  const { key, cert } = aCertificate(...names);
  const [imapsPort, imapPort] = [await freePort(), await freePort()];
  const owner = mailOwner();
  mkdirSync(join(folder, "mail"));
  chownSync(join(folder, "mail"), owner.uid, owner.gid);
  writeFileSync(join(folder, "cert.pem"), cert);
  writeFileSync(join(folder, "key.pem"), key, { mode: 0o600 });
  const users = new Map(Object.entries(passwords));
  let writes = 0;
  const write = () => {
    const lines = [...users].map(([user, password]) => `${user}:{PLAIN}${password}\n`);
    const file = join(folder, "users");
    writeFileSync(file, lines.join(""), { mode: 0o644 });
    // Dovecot notices changes only by the modification time in whole seconds.
    utimesSync(file, ++writes, writes);
  };
  write();
  writeFileSync(join(folder, "dovecot.conf"), configuration({ folder, imapsPort, imapPort, ...owner }));
  const child = spawn(program, ["-F", "-c", join(folder, "dovecot.conf")], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
  const output = () => printed + readFileSync(join(folder, "log"), { encoding: "utf8", flag: "a+" });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  await listening(child, imapsPort).catch(async (error) => {
    const why = output();
    await stop();
    throw new Error(`Dovecot did not start:\n${why}`, { cause: error });
  });
  const setPassword = async (user: string, password: string | undefined) => {
    if (users.get(user) === password) return;
    if (password === undefined) users.delete(user);
    else users.set(user, password);
    write();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
  };
  return { imapsPort, imapPort, ca: cert, key, setPassword, output, stop };
}

/**
 * Returns the account that owns the mailboxes. Root can't own them, because Dovecot rejects root.
 */
function mailOwner(): { uid: number; gid: number; rootless: string | undefined } {
  const { uid, gid, username } = userInfo();
  if (uid !== 0) return { uid, gid, rootless: username };
  const account = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === "nobody" || name === "www-data");
  return { uid: Number(account?.[2] ?? 65534), gid: Number(account?.[3] ?? 65534), rootless: undefined };
}

type Installation = {
  folder: string;
  imapsPort: number;
  imapPort: number;
  uid: number;
  gid: number;
  rootless: string | undefined;
};

/**
 * Returns the server's configuration. Failed logins get an immediate response, because otherwise
 * tests would wait two seconds for each.
 */
const configuration = ({ folder, imapsPort, imapPort, uid, gid, rootless }: Installation) => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = yes
auth_mechanisms = plain login
auth_failure_delay = 0
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:${folder}/mail/%u
${rootless ? `default_internal_user = ${rootless}\ndefault_login_user = ${rootless}\ndefault_internal_group =` : ""}
passdb {
  driver = passwd-file
  args = username_format=%u ${folder}/users
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}/mail/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${imapPort}
  }
  inet_listener imaps {
    port = ${imapsPort}
    ssl = yes
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
`;

async function listening(child: ChildProcess, port: number): Promise<void> {
  const giveUp = Date.now() + 20_000;
  for (;;) {
    const there = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => resolve(false));
      socket.on("connect", () => {
        socket.destroy();
        resolve(true);
      });
    });
    if (there) return;
    if (child.exitCode !== null || Date.now() > giveUp) throw new Error("It does not listen.");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
