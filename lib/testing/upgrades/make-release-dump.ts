import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareStartup } from "@/lib/cli/prepare-startup";
import { quietly } from "@/lib/cli/progress.mjs";
import { configure } from "../change-settings";
import { newDataDir, removeDataDir } from "../data-dir";
import { versionOf } from "../release/one-version";
import { throwawayPostgres } from "../temporary-postgres";
import { fillDatabase, unusedOrigin } from "./fill-database";
import { dumpFolder, packDump, readDump, schemaDigest } from "./release-dumps";

/*
 * Makes the dump of the version in package.json, unless there is one with the same schema. `npm run
 * release -- --prepare` runs this program.
 */

const root = join(import.meta.dirname, "../../..");
const version = versionOf(root);
const file = join(dumpFolder, `${version}.sql.gz`);
const secret = "only-for-the-dumps-of-releases-0123456789abcdef";

/** The system's PostgreSQL, because the npm package lacks `pg_dump`. */
function systemPostgres() {
  const folder = "/usr/lib/postgresql";
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.find((it) => ["pg_ctl", "pg_dump"].every((name) => existsSync(`${folder}/${it}/bin/${name}`)));
  if (!found) throw new Error("The dump needs PostgreSQL's programs. Run: apt-get install postgresql");
  return { folder: `${folder}/${found}`, version: found };
}

async function makeDump(): Promise<void> {
  const schema = schemaDigest(root);
  if (existsSync(file) && readDump(file).schema === schema) return;
  const programs = systemPostgres();
  const { url, end } = await throwawayPostgres(["unix_socket_directories="], programs);
  const dataDir = newDataDir();
  try {
    configure({ DATABASE_URL: url, DATA_DIR: dataDir, SECRET: secret });
    configure({ ALLOW_PRIVATE_FETCH: unusedOrigin, RATE_LIMIT: "0" });
    const ready = await prepareStartup("command", quietly);
    const contents = await fillDatabase().finally(ready.close);
    const args = ["--inserts", "--rows-per-insert=50", "--no-owner", "--no-privileges", url];
    const sql = execFileSync(`${programs.folder}/bin/pg_dump`, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
    mkdirSync(dumpFolder, { recursive: true });
    writeFileSync(file, packDump({ version, schema, secret, contents, sql }));
  } finally {
    removeDataDir(dataDir);
    await end();
  }
}

await makeDump();
