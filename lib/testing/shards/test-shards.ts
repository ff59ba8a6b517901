import type pg from "pg";
import { homeCount } from "@/lib/database/shards/homes";
import { separateSequences } from "@/lib/database/shards/moves/event-order";
import { replicatedTables } from "@/lib/database/shards/service-tables";
import { directoryName, directoryShard } from "@/lib/database/shards/shard-map";
import { copyDatabase, inDatabase, query, withTestClient } from "../temporary-postgres";
import type { ShardUrls } from "./known-shards";
import { testShards } from "./shard-count";

/*
 * With TEST_SHARDS=2 or 4, the database and process tests run on a directory that stores no owner,
 * and on as many shards, between which the homes are divided. Everything is on one PostgreSQL
 * server.
 *
 * Triggers copy the directory's tables to the shards in the same transaction. Logical replication
 * would wait for the open transactions of all other tests on the server. The tests of
 * `npm run test:shards` with several servers use it.
 */

const numbers = Array.from({ length: testShards }, (_, index) => index + 1);
/** Returns the name of a shard. */
const nameOf = (shard: number) => `shard${shard}`;
/** Returns the database of a shard, of a test file's directory or of the template. */
const databaseOf = (directory: string, shard: number) => `${directory}_${shard}`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The shard of a home: neighboring homes are on different shards. */
const shardOfHomeSql = `1 + home % ${testShards}`;

/**
 * Prepares the templates of the directory and of each shard.
 * @param url the superuser's URL
 * @param template the migrated template, which becomes the directory's
 */
export async function prepareShardTemplates(url: string, template: string): Promise<void> {
  if (testShards === 0) return;
  await withTestClient(inDatabase(url, template), async (directory) => {
    await directory.query(`INSERT INTO shard (name, number)
      SELECT 'shard' || number, number FROM generate_series(1, ${testShards}) AS number;
      INSERT INTO home_placement (home, shard)
      SELECT home, 'shard' || ${shardOfHomeSql} FROM generate_series(0, ${homeCount - 1}) AS home`);
    await separateSequences(directory, directoryShard);
  });
  for (const shard of numbers) {
    const database = databaseOf(template, shard);
    await withTestClient(url, (admin) => copyDatabase(admin, template, database));
    await withTestClient(inDatabase(url, database), (client) => separateSequences(client, shard));
  }
  await withTestClient(inDatabase(url, template), (directory) => copyToShards(directory, url));
}

/** Lets every change of the directory's copied tables also change the copies. */
async function copyToShards(directory: pg.Client, url: string): Promise<void> {
  const { hostname, port, username, password } = new URL(url);
  await directory.query("CREATE EXTENSION postgres_fdw");
  for (const shard of numbers) {
    await directory.query(`CREATE SCHEMA copies_${shard};
      CREATE SERVER ${nameOf(shard)} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
        host ${literal(hostname)}, port ${literal(port)}, dbname 'none', use_remote_estimate 'false',
        options '-c session_replication_role=replica'
      );
      CREATE USER MAPPING FOR CURRENT_USER SERVER ${nameOf(shard)} OPTIONS (
        user ${literal(decodeURIComponent(username))}, password ${literal(decodeURIComponent(password))}
      )`);
    for (const table of replicatedTables) {
      const { rows } = await directory.query<{ columns: string }>(
        `SELECT string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)
           AS columns
         FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
        [table],
      );
      await directory.query(
        `CREATE FOREIGN TABLE copies_${shard}.${table} (${rows[0]!.columns})
         SERVER ${nameOf(shard)} OPTIONS (schema_name 'public', table_name '${table}')`,
      );
    }
  }
  await directory.query(copyFunction);
  for (const table of replicatedTables) {
    const { rows } = await directory.query<{ key: string; others: string | null }>(
      `SELECT string_agg(quote_ident(attname), ', ') FILTER (WHERE is_key) AS key,
         string_agg(quote_ident(attname), ', ') FILTER (WHERE NOT is_key) AS others
       FROM (
         SELECT a.attname, a.attnum = ANY (k.conkey) AS is_key
         FROM pg_attribute a JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'p'
         WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
       ) AS c`,
      [table],
    );
    const { key, others } = rows[0]!;
    const given = [key, others ?? ""].map(literal).join(", ");
    await directory.query(
      `CREATE TRIGGER test_copied AFTER INSERT OR UPDATE OR DELETE ON ${table}
       FOR EACH ROW EXECUTE FUNCTION copy_to_shards(${given})`,
    );
  }
}

/**
 * Copies a changed row. An update does not touch the key, so that owners' rows which refer to the
 * copy do not block it.
 */
const copyFunction = `
  CREATE FUNCTION copy_to_shards() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $body$
  DECLARE
    key text := TG_ARGV[0];
    others text := TG_ARGV[1];
    copy text;
  BEGIN
    FOR shard IN 1..${testShards} LOOP
      copy := format('copies_%s.%I', shard, TG_TABLE_NAME);
      IF TG_OP = 'INSERT' THEN
        EXECUTE format('INSERT INTO %s SELECT ($1).*', copy) USING NEW;
      ELSIF TG_OP = 'DELETE' THEN
        EXECUTE format('DELETE FROM %s WHERE (%s) = (SELECT %s FROM (SELECT ($1).*) AS o)', copy, key, key)
        USING OLD;
      ELSIF others <> '' THEN
        EXECUTE format(
          'UPDATE %s SET (%s) = (SELECT %s FROM (SELECT ($1).*) AS n) WHERE (%s) = (SELECT %s FROM (SELECT ($2).*) AS o)',
          copy, others, others, key, key
        ) USING NEW, OLD;
      END IF;
    END LOOP;
    RETURN NULL;
  END
  $body$`;

/**
 * Creates the databases of the shards that belong to a directory.
 * @param admin a connection as the superuser
 * @param url the superuser's URL
 * @param name the directory's database, which exists
 */
export async function createShards(
  admin: pg.ClientBase,
  url: string,
  template: string,
  name: string,
): Promise<ShardUrls> {
  for (const shard of numbers) await copyDatabase(admin, databaseOf(template, shard), databaseOf(name, shard));
  if (testShards > 0)
    await query(
      inDatabase(url, name),
      numbers
        .map((shard) => `ALTER SERVER ${nameOf(shard)} OPTIONS (SET dbname '${databaseOf(name, shard)}')`)
        .join(";"),
    );
  return numbers.map((shard) => ({
    name: nameOf(shard),
    number: shard,
    url: inDatabase(url, databaseOf(name, shard)),
  }));
}

/** Drops the databases of a directory's shards. */
export async function dropShards(admin: pg.ClientBase, name: string): Promise<void> {
  for (const shard of numbers) await admin.query(`DROP DATABASE IF EXISTS ${databaseOf(name, shard)} WITH (FORCE)`);
}

/** The placement of homes on a directory's shards. */
export const placementOn = (directoryUrl: string, shards: ShardUrls) => ({
  shards: [{ number: directoryShard, name: directoryName, url: directoryUrl }, ...shards],
  homes: Array.from({ length: homeCount }, (_, home) => 1 + (home % testShards)),
  paused: new Set<number>(),
  pausedShards: new Set<number>(),
  version: 0,
});
