import { backfillNameFolds } from "@/lib/apps/backfill-name-folds";
import { readSettings, resetEnv, type ServiceSettings } from "@/lib/config/env";
import { closeDb } from "@/lib/database/db";
import { inService } from "@/lib/database/shards/marks";
import { closePubsub } from "@/lib/events/pubsub";
import { setRetention } from "@/lib/events/retention-policy";
import { finishChecks } from "@/lib/integrations/account-check-worker";
import { createFirstDataKey } from "@/lib/keys/data-keys";
import { checkKeys } from "@/lib/keys/key-check";
import { readOrCreateSecret, readSecret } from "@/lib/keys/secret-file";
import { log } from "@/lib/log";
import { checkDatabase } from "@/lib/postgres/connection-check";
import { openCluster } from "@/lib/postgres/embedded-postgres";
import { checkMigrated, migrate } from "@/lib/postgres/migrations";
import { withClient } from "@/lib/postgres/with-client";
import { flushDeniedRequests } from "@/lib/traffic/denied-requests";
import { flushFrozenRequests } from "@/lib/traffic/frozen-requests";
import { flushUsage } from "@/lib/traffic/last-use";
import { flushRequests } from "@/lib/traffic/request-log";
import { sealedRows } from "./all-encrypted-tables";
import { checkFolder } from "./preflight";
import { type AddedShard, addedShards, joinShards, prepareEach, type Use } from "./prepare-shards";
import { checkSecret, checkSecretOf, mayBeNew, secretFile } from "./secret-check";
import { type BeforeMigration, withoutMoves } from "./shards/migrations-and-moves";

/** Runs work, and shows the operator its label and duration. */
export type StartStep = <T>(label: string, work: (tell: (line: string) => void) => Promise<T>) => Promise<T>;

/**
 * A prepared process. `close` closes its connections, and stops the embedded PostgreSQL if no other
 * process uses it.
 */
export type Ready = {
  settings: ServiceSettings;
  /** The names of the migrations that this start applied. */
  migrated: readonly string[];
  close(): Promise<void>;
};

/**
 * Prepares a process. Opens the embedded database or the one at DATABASE_URL, applies or checks
 * migrations, and sets the environment that `env()` reads.
 * @param use "repair" for commands that fix keys, which are therefore not checked; "any secret" for
 *   the command that replaces a lost secret; "schema" for the command that migrates even with
 *   MIGRATE=off, and needs no secret
 * @throws {SettingError | OperatorError | InUse | PostgresError | MigrationError | KeyError} with a
 *   sentence for the operator
 */
export async function prepareStartup(use: Use, step: StartStep): Promise<Ready> {
  const settings = readSettings(process.env);
  const dataDir = checkFolder(settings);
  const secret = settings.SECRET ?? readSecret(secretFile());

  // When the service starts, `preflight` has already waited for the database.
  const waiting = use === "schema" ? { seconds: settings.DATABASE_WAIT, tell: sayAside } : {};
  for (const warning of await checkDatabase(settings, waiting)) if (use === "service") log.warn(warning);
  const cluster = await openDatabase(settings, dataDir, { use, step });
  process.env.DATABASE_URL = cluster.url;

  let leaveShards = async () => {};
  const close = async () => {
    await leaveShards();
    await completeStartup();
    await cluster.close();
  };
  try {
    // Without SHARDS, too, because a directory must be migrated after its shards and between moves.
    const shards = await addedShards(cluster.ownerUrl, settings);
    const urls = { directory: cluster.ownerUrl, shards: shards.map(({ url }) => url) };
    const { migrated, away } = await betweenMoves(settings, urls, async (before) => {
      // Before the directory, whose tables must not have columns that their copies on the shards lack.
      const migrated = new Set<string>();
      const away = await prepareEach(shards, use, async (shard) => {
        for (const name of await prepareShard(shard, settings, { use, step, before })) migrated.add(name);
      });
      for (const name of await prepareSchema(cluster.ownerUrl, settings, { use, step, before })) migrated.add(name);
      return { migrated, away };
    });
    await cluster.grant();
    const secretless = use === "any secret" || use === "schema";
    if (secret === undefined && !secretless) await mayBeNew(cluster.ownerUrl);
    process.env.SECRET = secret ?? (secretless ? "" : readOrCreateSecret(secretFile(), 48));
    resetEnv();
    const source = settings.SECRET ? "SECRET" : `The secret in ${secretFile()}`;
    if (settings.SHARDS && !secretless)
      leaveShards = await joinShards(away, use, async (shard) => {
        await betweenMoves(settings, urls, (before) => prepareShard(shard, settings, { use, step: silently, before }));
        await checkSecretOf(shard.url, source);
      });
    if (checksKeys.includes(use)) {
      await inService(async () => {
        await checkSecret(source);
        await checkKeys(sealedRows);
        if (settings.SHARDS) await createFirstDataKey();
        await backfillNameFolds();
      });
      const here = shards.filter((shard) => !away.includes(shard));
      await prepareEach(here, use, ({ url }) => checkSecretOf(url, source));
    }
    return { settings, migrated: [...migrated], close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The uses that need keys which can decrypt the database's contents. */
const checksKeys: readonly Use[] = ["service", "command", "reachable shards"];

type StartingUp = { use: Use; step: StartStep };
type Migrating = StartingUp & { before: BeforeMigration | undefined };

/** Runs work that may apply migrations. With shards, it applies none while homes move. */
const betweenMoves = <T>(
  { SHARDS }: ServiceSettings,
  urls: { directory: string; shards: string[] },
  work: (before?: BeforeMigration) => Promise<T>,
): Promise<T> => (SHARDS ? withoutMoves(urls.directory, urls.shards, work) : work());

async function openDatabase(settings: ServiceSettings, dataDir: string, { use, step }: StartingUp) {
  const { DATABASE_URL, DATABASE_DIRECT_URL: direct, SHARD_ROUTER } = settings;
  // SPQR prepares statements on any shard, but a command may add a shard that has no tables yet.
  const url = SHARD_ROUTER && use !== "service" ? direct : DATABASE_URL;
  if (url) return { url, ownerUrl: direct ?? url, grant: async () => {}, close: async () => {} };
  return step("Starting PostgreSQL", (tell) => openCluster(dataDir, use === "service" ? use : "command", tell));
}

/**
 * Applies or checks migrations.
 * @returns the names of the applied migrations
 */
async function prepareSchema(ownerUrl: string, settings: ServiceSettings, { use, step, before }: Migrating) {
  let migrated: readonly string[] = [];
  if (settings.MIGRATE === "on" || use === "schema")
    migrated = await step("Applying migrations", (tell) => migrate(ownerUrl, { tell, ...(before && { before }) }));
  else await step("Checking migrations", (tell) => checkMigrated(ownerUrl, { tell }));
  // Other commands set no retention, because their settings may differ from the service's.
  if (use === "schema" || (use === "service" && settings.MIGRATE === "on"))
    await withClient(ownerUrl, (client) => setRetention(client, keeping(settings)));
  return migrated;
}

/** Applies or checks the migrations of a shard other than the directory. */
async function prepareShard({ url, name }: AddedShard, settings: ServiceSettings, { step, ...rest }: Migrating) {
  return prepareSchema(url, settings, { ...rest, step: (label, work) => step(`${label} (shard ${name})`, work) });
}

const silently: StartStep = (_label, work) => work(() => {});

const keeping = (settings: ServiceSettings) => ({
  events: settings.RETENTION_EVENTS ?? null,
  answered: settings.RETENTION_ANSWERED ?? null,
});

const sayAside = (line: string) => void process.stderr.write(`${line}\n`);

/** Flushes pending writes, and closes every database connection. */
export async function completeStartup(): Promise<void> {
  await finishChecks();
  await closePubsub();
  await Promise.all([flushUsage(), flushDeniedRequests(), flushFrozenRequests(), flushRequests()]);
  await closeDb();
}
