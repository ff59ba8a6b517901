import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackages, isExecutable } from "../find-program";
import { findPgBouncer } from "../pgbouncer";

const version = "1.25.2";
const folder = join(process.cwd(), "node_modules", ".cache", "pgbouncer");
const built = join(folder, version);

/** The URL of PgBouncer's source, or a local file in PGBOUNCER_SOURCE. */
const source =
  process.env.PGBOUNCER_SOURCE ?? `https://www.pgbouncer.org/downloads/files/${version}/pgbouncer-${version}.tar.gz`;

/**
 * Provides a PgBouncer for tests. If the system's is missing or too old, builds one from source,
 * and puts its path in PGBOUNCER_PATH.
 * @returns a message if this failed
 */
export async function bringPgBouncer(): Promise<string | undefined> {
  if (findPgBouncer()) return undefined;
  try {
    if (!isExecutable(built)) await build();
    process.env.PGBOUNCER_PATH = built;
    return undefined;
  } catch (error) {
    return `PgBouncer could not be built from ${source}: ${String(error).split("\n")[0]}`;
  }
}

async function build(): Promise<void> {
  const archive = source.startsWith("/") ? undefined : await download(source);
  installPackages("build-essential", "pkg-config", "libevent-dev", "libssl-dev");
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, "build-"));
  try {
    const file = archive ? join(work, "source.tar.gz") : source;
    if (archive) writeFileSync(file, archive);
    const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: work, stdio: "ignore" });
    run("tar", "-xzf", file, "--strip-components=1");
    run("./configure", "--without-cares");
    run("make", "-j2", "pgbouncer");
    renameSync(join(work, "pgbouncer"), built);
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function download(address: string): Promise<Buffer> {
  const reply = await fetch(address, { signal: AbortSignal.timeout(60_000) });
  if (!reply.ok) throw new Error(`it answers ${reply.status}`);
  return Buffer.from(await reply.arrayBuffer());
}
