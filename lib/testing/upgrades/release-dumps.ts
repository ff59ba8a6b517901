import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { withTestClient } from "../temporary-postgres";
import type { Contents } from "./fill-database";

/*
 * Dumps of databases that each release filled. Tests restore each dump and start today's code on the
 * restored database. A dump is a compressed text: one line of JSON, and PostgreSQL's dump.
 */

/** The folder of the dumps. A dump's name is its release's version. */
export const dumpFolder = join(import.meta.dirname, "dumps");

/** The first line of a dump. `secret` is the setting SECRET of the service that filled the database. */
type Header = { version: string; schema: string; secret: string; contents: Contents };
export type ReleaseDump = Header & { sql: string };

/** Returns a digest of the migrations, which changes with the schema. */
export function schemaDigest(root: string): string {
  const folder = join(root, "prisma/migrations");
  const hash = createHash("sha256");
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)))
    if (entry.isDirectory()) hash.update(entry.name).update(readFileSync(join(folder, entry.name, "migration.sql")));
  return hash.digest("hex");
}

/** Returns the content of a dump's file. */
export const packDump = ({ sql, ...header }: ReleaseDump): Buffer =>
  gzipSync(`${JSON.stringify(header)}\n${sql}`, { level: 9 });

export function readDump(file: string): ReleaseDump {
  const text = gunzipSync(readFileSync(file)).toString();
  const end = text.indexOf("\n");
  return { ...(JSON.parse(text.slice(0, end)) as Header), sql: text.slice(end + 1) };
}

/** Returns the dump of a release. @throws unless the release has a dump */
export const readRelease = (version: string): ReleaseDump => readDump(join(dumpFolder, `${version}.sql.gz`));

/** Returns the dumps of all releases, oldest first. */
export const releaseDumps = (): ReleaseDump[] =>
  readdirSync(dumpFolder)
    .filter((name) => name.endsWith(".sql.gz"))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((name) => readDump(join(dumpFolder, name)));

/** Restores a dump to an empty database. */
export const restoreDump = (url: string, { sql }: ReleaseDump): Promise<void> =>
  withTestClient(url, async (client) => {
    // Lines that begin with a backslash are commands of psql.
    await client.query(sql.replace(/^\\.*$/gm, ""));
  });
