import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { readSettings, resetEnv, type ServiceSettings } from "@/lib/config/env";
import { directoryShard, hasSeveralShards, type Shard, shards } from "@/lib/database/shards/shard-map";
import { inShard } from "@/lib/database/shards/statement-routing";
import { readSecret } from "@/lib/keys/secret-file";
import { reasonOf } from "@/lib/postgres/connection-check";
import { openCluster } from "@/lib/postgres/embedded-postgres";
import { OperatorError } from "../command";
import { describeError } from "../describe-error.mjs";
import { completeStartup } from "../prepare-startup";
import { quietly } from "../progress.mjs";
import { secretFile } from "../secret-check";
import { type CheckResult, fail, note, type Section } from "./check-result";
import { type Addresses, seeMigrations, seePooler, seeServer } from "./database-checks";
import { embeddedFolder, readMetrics, seeDisk, seeMail, seeService, seeSettings } from "./environment-checks";
import { seeAlerts, seeFeed, seeMetrics, seeSecret, seeWebhooks } from "./secret-and-backlog-checks";
import { seeShards } from "./shard-checks";
import { envFile } from "./unknown-settings";

/**
 * Runs all checks in sequence, even if the service isn't running or can't start. The checks create
 * and migrate nothing. A check that fails reports the reason.
 */
export async function examine(): Promise<Section[]> {
  const sections: Section[] = [];
  const see = async <S extends CheckResult>(about: string, look: () => S | undefined | Promise<S | undefined>) => {
    try {
      const seen = await look();
      if (seen) sections.push({ ...seen, about });
      return seen;
    } catch (error) {
      // Omits the stack of an internal error, because a later check may explain the error.
      const [says = ""] = describeError(error).split("\n");
      sections.push({ about, findings: [fail(says)] });
      return undefined;
    }
  };
  let settings: ServiceSettings;
  try {
    settings = readSettings(process.env);
  } catch (error) {
    return [{ about: "Settings", findings: [fail(describeError(error))] }];
  }
  await see("Settings", () => seeSettings(settings, process.env, envFile()));
  await see("Disk", () => seeDisk(settings));
  const database = await open(settings, see);
  if (database) {
    try {
      await seeDatabase(settings, database, see);
    } finally {
      await completeStartup();
      await database.close();
    }
  }
  await see("Mail", () => seeMail(settings));
  const service = await see("Service", () => seeService(settings));
  if (settings.METRICS_PORT && service?.running)
    await see("Metrics", async () => seeMetrics(await readMetrics(settings)));
  return sections;
}

type See = <S extends CheckResult>(
  about: string,
  look: () => S | undefined | Promise<S | undefined>,
) => Promise<S | undefined>;
type Opened = Addresses & { secret: string | undefined; close(): Promise<void> };

/** Opens the database if it exists and can be used. */
async function open(settings: ServiceSettings, see: See): Promise<Opened | undefined> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct } = settings;
  let opened: Opened | undefined;
  let secret: string | undefined;
  try {
    secret = settings.SECRET ?? readSecret(secretFile());
  } catch (error) {
    const unread = new OperatorError(
      `Can't read ${secretFile()}: ${reasonOf(error)}. Run this command as the user that runs the service.`,
    );
    await see("Secret", () => Promise.reject(unread));
    return undefined;
  }
  if (url) {
    await see("Database", async () => {
      const pooler = await seePooler(settings).catch((error) => {
        const [, setting] = /Could not connect to the database at (\w+)/.exec(String(error)) ?? [];
        throw setting ? new OperatorError(`${describeError(error)} Start the database, or correct ${setting}.`) : error;
      });
      opened = { url, owner: direct ?? url, embedded: false, secret, close: async () => {} };
      await see("Pooler", () => pooler);
      return undefined;
    });
  } else {
    const dataDir = resolve(settings.DATA_DIR);
    await see("Database", async () => {
      if (!embeddedFolder(dataDir))
        return { findings: [note(`${dataDir} has no database yet. "npm start" creates the database.`)] };
      const cluster = await quietly("Starting PostgreSQL", (tell) => openCluster(dataDir, "command", tell));
      opened = { url: cluster.url, owner: cluster.ownerUrl, embedded: true, secret, close: cluster.close };
      return undefined;
    });
  }
  if (!opened) return undefined;
  process.env.DATABASE_URL = opened.url;
  // The settings require a SECRET. If no secret exists yet, a random one satisfies the settings,
  // and checks that need the real secret are skipped.
  process.env.SECRET = secret ?? randomBytes(48).toString("base64url");
  resetEnv();
  return opened;
}

async function seeDatabase(settings: ServiceSettings, database: Opened, see: See) {
  await see("Database", async () => {
    const server = await seeServer(database);
    for (const { about, ...seen } of server) await see(about, () => seen);
    return undefined;
  });
  const migrations = await see("Migrations", () => seeMigrations(database));
  if (!migrations?.upToDate) return;
  // Before the check of the secret, which reads every shard.
  const seen = await see("Shards", () => seeShards(settings));
  if (seen?.usable === false) return;
  await see("Secret", () => seeSecret(settings, database.secret, database));
  for (const shard of shards()) if (!seen?.away.has(shard.number)) await seeShard(shard, database, see);
}

async function seeShard({ number, name, directUrl, url }: Shard, database: Opened, see: See) {
  const about = (what: string) => (hasSeveralShards() ? `${what} of shard ${name}` : what);
  const seeHere = (what: string, look: () => Promise<CheckResult>) => see(about(what), () => inShard(number, look));
  const owner = directUrl ?? url ?? database.owner;
  if (number !== directoryShard)
    await seeHere("Database", async () => {
      const server = await seeServer({ url: owner, owner, embedded: false });
      for (const { about: what, ...seen } of server.slice(1)) await see(about(what), () => seen);
      return server[0] as CheckResult;
    });
  await seeHere("Feed", () => seeFeed({ owner }));
  await seeHere("Webhooks", seeWebhooks);
  await seeHere("Alerts", seeAlerts);
}
