import { expectShards, setPlacement } from "@/lib/database/shards/shard-map";
import { createFirstDataKey } from "@/lib/keys/data-keys";
import { configure } from "./change-settings";
import { guardProduct } from "./guard-statements";
import { shardsOf, withShards } from "./shards/known-shards";
import { placementOn } from "./shards/test-shards";

/**
 * Uses a test's database and its shards in this process, as a service with these settings does. With
 * shards, a statement of the test that names no owner runs on all databases.
 */
export async function configureDatabase(settings: Readonly<Record<string, string>> & { DATABASE_URL: string }) {
  configure(withShards(settings));
  const shards = shardsOf(settings.DATABASE_URL);
  if (shards.length === 0) return;
  guardProduct();
  expectShards();
  await setPlacement(placementOn(settings.DATABASE_URL, shards));
  await createFirstDataKey();
}
