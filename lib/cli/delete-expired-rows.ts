import { expiryRules as alerts } from "@/lib/alerts/expiry-rules";
import { dedupRetention } from "@/lib/approvals/deduplication";
import { neverConnected, selectedApps } from "@/lib/apps/expiry-rules";
import { spentArchives } from "@/lib/archive/archive";
import { sweepExpired } from "@/lib/database/expired-row-sweeper";
import { isInDirectory } from "@/lib/database/shards/each-shard";
import { inEveryShard } from "@/lib/database/shards/marks";
import { endedInstances } from "@/lib/database/shards/placement/watch-placement";
import { hasSeveralShards } from "@/lib/database/shards/shard-map";
import { and, identifier, sql } from "@/lib/database/sql";
import { isShared, unshare } from "@/lib/grants/linked-account-sharing";
import { expiredRevocations } from "@/lib/grants/revoke-scope";
import { expiredAccounts, expiredAttempts, longRemoved } from "@/lib/integrations/expiry-rules";
import { expiryRules as oauth } from "@/lib/oauth/expiry-rules";
import { expiryRules as owners } from "@/lib/owners/expiry-rules";
import { expiredReplies } from "@/lib/requests/idempotency";
import { spentRequests } from "@/lib/traffic/list-requests";
import { expiryRules as webhooks } from "@/lib/webhooks/expiry-rules";

/**
 * All tables with a foreign key to apps. An app is not deleted while a row of one of these tables
 * refers to it.
 */
export const holdingApps = [
  ...["app_grant", "authorization_code", "consent_request", "device_code"],
  "webhook_endpoint",
];

/** Deletes a shard's expired rows. @returns the number of deleted rows */
export const sweep = async (): Promise<number> =>
  (await sweepExpired([
    ...oauth,
    expiredRevocations,
    expiredAttempts,
    expiredReplies(dedupRetention),
    ...owners,
    spentRequests,
    spentArchives,
    ...alerts,
    ...webhooks,
    endedInstances,
    // By then, apps have had thirty days to notice that a linked account was removed.
    unshare(longRemoved),
    expiredAccounts(isShared),
  ])) + (await sweepApps());

/** The maximum number of unused apps that one run deletes, if there are several shards. */
const maxApps = 1000;

/** Deletes unused apps, which are in the directory. An app can be in use on any shard. */
async function sweepApps(): Promise<number> {
  const rule = neverConnected(holdingApps);
  if (!hasSeveralShards()) return sweepExpired([rule]);
  if (!isInDirectory()) return 0;
  const ids = await selectedApps(rule, maxApps);
  if (ids.length === 0) return 0;
  const uses = ["app_grant", "authorization_code"].map(
    (table) => sql`SELECT app_id FROM ${identifier(table)} WHERE app_id = ANY (${ids})`,
  );
  const used = await inEveryShard(() => sql<{ app_id: string }>`${uses[0]!} UNION ${uses[1]!}`.rows());
  const isUsed = new Set(used.flat().map(({ app_id }) => app_id));
  const deletable = ids.filter((id) => !isUsed.has(id));
  return sweepExpired([{ ...rule, when: and([rule.when, sql`id = ANY (${deletable})`]) }]);
}
