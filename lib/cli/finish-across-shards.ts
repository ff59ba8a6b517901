import { isInDirectory } from "@/lib/database/shards/each-shard";
import { hasSeveralShards } from "@/lib/database/shards/shard-map";
import { revokeGrantsToDeletedApps } from "@/lib/grants/revoke-grants-to-apps";
import { finishDeletion } from "@/lib/owner-data/account-deletion";
import { deleteUnusedRoutes } from "@/lib/owners/find-accounts";
import { finishRemovals } from "@/lib/webhooks/finish-removals";

/**
 * Repeats the steps of sign-ups, deletions and removals over several shards that an outage can
 * interrupt. With one database, it does nothing, because each of these changes is one transaction.
 */
export async function finishAcrossShards(): Promise<void> {
  if (!hasSeveralShards()) return;
  await revokeGrantsToDeletedApps();
  await finishRemovals();
  if (isInDirectory()) await deleteUnusedRoutes(finishDeletion);
}
