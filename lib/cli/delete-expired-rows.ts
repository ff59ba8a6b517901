import { expiryRules as alerts } from "@/lib/alerts/expiry-rules";
import { dedupRetention } from "@/lib/approvals/deduplication";
import { neverConnected } from "@/lib/apps/expiry-rules";
import { spentArchives } from "@/lib/archive/archive";
import { sweepExpired } from "@/lib/database/expired-row-sweeper";
import { isShared, unshare } from "@/lib/grants/linked-account-sharing";
import { expiredRevocations } from "@/lib/grants/revoke-scope";
import { expiredAccounts, expiredAttempts, longRemoved } from "@/lib/integrations/expiry-rules";
import { expiryRules as oauth } from "@/lib/oauth/expiry-rules";
import { expiryRules as owners } from "@/lib/owners/expiry-rules";
import { expiredReplies } from "@/lib/requests/idempotency";
import { spentRequests } from "@/lib/traffic/list-requests";
import { expiryRules as webhooks } from "@/lib/webhooks/expiry-rules";

/**
 * Every table with a foreign key to apps. An app that one of their rows references is not deleted.
 */
export const holdingApps = [
  ...["app_grant", "authorization_code", "consent_request", "device_code", "pushed_request"],
  "webhook_endpoint",
];

/** Deletes expired rows. @returns the number of deleted rows */
export const sweep = (): Promise<number> =>
  sweepExpired([
    ...oauth,
    expiredRevocations,
    expiredAttempts,
    expiredReplies(dedupRetention),
    ...owners,
    spentRequests,
    spentArchives,
    ...alerts,
    ...webhooks,
    // Apps had thirty days to notice that a linked account was removed.
    unshare(longRemoved),
    expiredAccounts(isShared),
    neverConnected(holdingApps),
  ]);
