import { expiredReplies } from "@/lib/access/idempotency";
import { spent as alerts } from "@/lib/alerts/spent";
import { stillAsked } from "@/lib/approvals/asked-before";
import { neverLetIn } from "@/lib/apps/spent";
import { spentArchives } from "@/lib/archive/archive";
import { isShared, unshare } from "@/lib/grants/account-sharing";
import { expiredRevocations } from "@/lib/grants/revoke-scope";
import { longRemoved, spentAccounts, spentAttempts } from "@/lib/integrations/spent";
import { spent as oauth } from "@/lib/oauth/spent";
import { spent as owners } from "@/lib/owners/spent";
import { sweepExpired } from "@/lib/sweeper";
import { spentRequests } from "@/lib/traffic/requests";
import { spent as webhooks } from "@/lib/webhooks/spent";

/** Every table with a foreign key to apps: what a row of it names is not swept. */
export const holdingApps = [
  ...["app_grant", "authorization_code", "consent_request", "device_code", "pushed_request"],
  "webhook_endpoint",
];

/** Delete what has expired. Call it every few minutes. @returns how many rows */
export const sweep = (): Promise<number> =>
  sweepExpired([
    ...oauth,
    expiredRevocations,
    spentAttempts,
    expiredReplies(stillAsked),
    ...owners,
    spentRequests,
    spentArchives,
    ...alerts,
    ...webhooks,
    // Apps have had thirty days to see that it is gone.
    unshare(longRemoved),
    spentAccounts(isShared),
    neverLetIn(holdingApps),
  ]);
