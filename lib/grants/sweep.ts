import { unhurried } from "@/lib/db";

/** Every table with a foreign key to apps: what a row of it names is not swept. */
export const holdingApps = [
  ...["app_grant", "authorization_code", "consent_request", "device_code", "pushed_request"],
  "webhook_endpoint",
];

/** A linked account that its owner removed so long ago, and of which nothing is left to give up. */
const longRemoved = "disconnected_at < now() - interval '30 days' AND erase_at IS NULL";

/**
 * What is kept no longer. A used code stays until access tokens issued from it have expired, since using it again ends these;
 * refresh tokens are found without it (`familyOf`). A decided request and an old sign-in link stay a while to say so.
 */
const spent = [
  ["authorization_code", "expires_at < now() - interval '2 hours'"],
  ["refresh_token", "expires_at < now() - interval '1 day'"],
  ["pushed_request", "expires_at < now() - interval '1 hour'"],
  ["consent_request", "expires_at < now() - interval '1 hour'"],
  ["device_code", "expires_at < now() - interval '1 hour'"],
  ["link_attempt", "expires_at < now() - interval '1 hour'"],
  // What waits for its owner is remembered for as long as it does and a day longer, so that an agent does not ask it twice.
  [
    "idempotency",
    `created_at < now() - interval '24 hours' AND NOT (operation = 'askOwner'
      AND EXISTS (SELECT FROM approval a WHERE a.id = reply::json ->> 'id' AND coalesce(a.resolved_at, now()) > now() - interval '24 hours'))`,
  ],
  ["throttle", "expires_at < now()"],
  ["api_request", "created_at < now() - interval '7 days'"],
  ["owner_session", "expires_at < now() OR ended_at < now()"],
  ["passkey_challenge", "expires_at < now()"],
  ["sign_in_link", "expires_at < now() - interval '1 hour'"],
  ["sign_in_refusal", "minute < now() - interval '30 days'"],
  ["push_subscription", "last_seen_at < now() - interval '60 days'"],
  ["alert", "closed_at < now() - interval '2 days'"],
  ["webhook_delivery", "ended_at < now() - interval '7 days'"],
  ["webhook_secret", "retires_at < now()"],
  [
    "webhook_endpoint",
    `app_id IN (SELECT id FROM app WHERE deleted_at IS NOT NULL)
      AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = webhook_endpoint.id)`,
  ],
  // Apps have had thirty days to see that it is gone.
  ["grant_integration", `integration_id IN (SELECT id FROM integration WHERE ${longRemoved})`],
  [
    "integration",
    `${longRemoved} AND NOT EXISTS (SELECT FROM grant_integration g WHERE g.integration_id = integration.id)`,
  ],
  [
    "app",
    // Those that came by themselves and that no owner ever let in.
    [
      "kind IN ('dynamic', 'metadata') AND created_at < now() - interval '24 hours'",
      ...holdingApps.map((table) => `NOT EXISTS (SELECT FROM ${table} WHERE ${table}.app_id = app.id)`),
    ].join(" AND "),
  ],
] as const;
const batch = 1000;

/** Delete what has expired, a thousand rows at a time so that nothing waits long. Call it every few minutes. @returns rows */
export async function sweep(): Promise<number> {
  let total = 0;
  for (const [table, condition] of spent) {
    let deleted = batch;
    while (deleted === batch) {
      const { rowCount } = await unhurried(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`,
      );
      deleted = rowCount ?? 0;
      total += deleted;
    }
  }
  return total;
}
