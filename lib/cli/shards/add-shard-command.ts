import type pg from "pg";
import { env } from "@/lib/config/env";
import { separateSequences } from "@/lib/database/shards/moves/event-order";
import { hidingSchema } from "@/lib/database/shards/moves/hiding-schema";
import { missingRequirements } from "@/lib/database/shards/moves/requirements";
import { replicateDirectory, untilCopied } from "@/lib/database/shards/replication/replicate-directory";
import { directoryName, directoryShard } from "@/lib/database/shards/shard-map";
import { migrate } from "@/lib/postgres/migrations";
import { type Command, OperatorError } from "../command";
import { checkSecretOf } from "../secret-check";
import { inDirectoryAlone, onShard, tell } from "./shard-connections";

/*
 * Adds a shard, or brings an added one up to date, in steps that can all be repeated. The row in the
 * table `shard` comes last, so instances use only a shard that is ready.
 */
export const addShardCommand: Command = {
  async run(_given, [name = ""]) {
    const url = env().shards.get(name);
    if (url === undefined)
      throw new OperatorError(
        `SHARDS lacks the shard ${name}. Set SHARDS="${name}=postgresql://…" for this command and on every instance, and restart the instances.`,
      );
    const added = await inDirectoryAlone((directory) =>
      onShard(name, url, (client) => addShard(directory, { name, url, client })),
    );
    return {
      json: { name, ...added },
      text: `The shard ${name} is ready. It stores no homes yet. Move homes with "shards move 512-1023 --to ${name}".`,
    };
  },
};

type NewShard = { name: string; url: string; client: pg.Client };

async function addShard(directory: pg.Client, { name, url, client }: NewShard): Promise<{ number: number }> {
  const missing = [
    ...(await missingRequirements(directory, directoryName)),
    ...(await missingRequirements(client, name)),
  ];
  if (missing.length > 0) throw new OperatorError(missing.join("\n"));
  const { rows } = await directory.query<{ number: number; isAdded: boolean }>(
    `SELECT
       coalesce(
         max(number) FILTER (WHERE name = $1),
         greatest(max(number), (SELECT last_value::int FROM public.shard_number)) + 1
       ) AS number,
       bool_or(name = $1) AS "isAdded"
     FROM public.shard`,
    [name],
  );
  const { number, isAdded } = rows[0]!;
  if (number > 63) throw new OperatorError("The service has had 64 shards, which is the maximum.");
  tell(`Applying migrations to ${name}`);
  await migrate(url, { tell });
  if (!isAdded && (await client.query("SELECT FROM public.owner LIMIT 1")).rowCount === 1)
    throw new OperatorError(`The database of the shard ${name} already has owners. Use an empty database.`);
  await checkSecretOf(url, "SECRET");
  await separateSequences(directory, directoryShard);
  await separateSequences(client, number);
  for (const one of [directory, client]) await setSearchPath(one);
  tell(`Copying the directory's tables to ${name}`);
  await replicateDirectory({ client: directory, url: env().directUrl }, { client, url });
  await untilCopied(directory, client, AbortSignal.timeout(600_000)).catch(() => {
    throw new OperatorError(
      `The shard ${name} did not copy the directory within ten minutes. Read the log of its PostgreSQL, then run the command again.`,
    );
  });
  if (!isAdded) await directory.query("SELECT setval('public.shard_number', $1)", [number]);
  await directory.query("INSERT INTO public.shard (name, number) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", [
    name,
    number,
  ]);
  return { number };
}

/**
 * Behind a pooler or a router, the service cannot set the search path of its connections, so the
 * database does. Moves need it (lib/database/shards/moves/hidden-homes.ts).
 */
async function setSearchPath(client: pg.Client): Promise<void> {
  const { databaseUrl, directUrl, shardRouter } = env();
  if (databaseUrl === directUrl && !shardRouter) return;
  const { rows } = await client.query<{ name: string }>("SELECT quote_ident(current_database()) AS name");
  await client
    .query(`ALTER DATABASE ${rows[0]!.name} SET search_path = ${hidingSchema}, "$user", public`)
    .catch((error: Error) => {
      throw new OperatorError(
        `Could not set the search path (${error.message}). As the owner of the database, run: ALTER DATABASE ${rows[0]!.name} SET search_path = ${hidingSchema}, "$user", public`,
      );
    });
  tell("Set the database's search path. Let the pooler reconnect, for example with RECONNECT in PgBouncer.");
}
