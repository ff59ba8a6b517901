import { migrate } from "@/lib/postgres/migrations";
import { prepareShardTemplates } from "./shards/test-shards";
import { inDatabase, query } from "./temporary-postgres";

/**
 * Creates a migrated database that tests copy and, with TEST_SHARDS, one for each shard.
 * @param url the superuser's URL
 */
export async function prepareTemplate(url: string, name: string): Promise<void> {
  await query(url, `CREATE DATABASE ${name}`);
  await migrate(inDatabase(url, name));
  await prepareShardTemplates(url, name);
}
