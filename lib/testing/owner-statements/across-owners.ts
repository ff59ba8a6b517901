/*
 * The statements that read rows of any owner on purpose, by file, with the tables that they read.
 * With several PostgreSQL clusters, each cluster must run them. A statement that an owner or an app
 * waits for belongs here only if no condition can limit it to one owner.
 */

type Tables = readonly string[];
type Listed = Readonly<Record<string, Tables>>;

/** Background work finds the rows that are due, of any owner. */
const backgroundWork: Listed = {
  "lib/alerts/alert-loop.ts": ["alert_channel", "alert_cursor", "event", "push_subscription"],
  "lib/alerts/email.ts": ["approval"],
  "lib/alerts/lease-due-messages.ts": ["alert_channel", "alert_delivery", "push_subscription"],
  "lib/approvals/deadlines.ts": ["app_grant", "approval", "approval_triage", "grant_scope"],
  "lib/approvals/held-answers.ts": ["approval_triage"],
  "lib/approvals/thread/answers-past-retention.ts": ["approval", "approval_triage"],
  "lib/approvals/triage.ts": ["approval", "approval_triage"],
  "lib/archive/apply-retention.ts": ["approval", "event", "owner"],
  "lib/cli/background-chores.ts": [
    "app_freeze",
    "approval",
    "approval_triage",
    "event",
    "integration",
    "failed_sign_in",
  ],
  "lib/database/expired-row-sweeper.ts": [
    "alert",
    "answer_link",
    "api_request",
    "app_grant",
    "approval",
    "archive_part",
    "authorization_code",
    "grant_integration",
    "idempotency",
    "integration",
    "link_attempt",
    "owner_session",
    "push_subscription",
    "refresh_token",
    "sign_in_link",
    "failed_sign_in",
    "revoked_scope",
    "webhook_delivery",
  ],
  "lib/events/expired-events.ts": ["event"],
  "lib/freeze/stop-late-questions.ts": ["app_freeze", "approval"],
  // One statement writes the last uses of tokens of many owners, and operators revoke any token.
  "lib/grants/token-store.ts": ["app_grant", "grant_scope", "token"],
  "lib/integrations/account-check-worker.ts": ["integration"],
  "lib/integrations/check-account.ts": ["integration_secret"],
  "lib/integrations/disconnect-account.ts": ["integration"],
  "lib/notifications/mark-expired-done.ts": ["notification"],
  "lib/owners/failed-sign-ins.ts": ["failed_sign_in"],
  "lib/owners/security-mail.ts": ["owner", "failed_sign_in"],
};

/** Operators' commands, checks and gauges concern the whole installation. */
const operators: Listed = {
  "lib/alerts/reseal-devices.ts": ["push_subscription"],
  "lib/cli/secret-check.ts": ["owner"],
  "lib/cli/shards/add-shard-command.ts": ["owner"],
  "lib/cli/shards/shards-status-command.ts": ["owner"],
  "lib/database/sql-gauge.ts": ["alert_delivery", "event", "webhook_delivery"],
  "lib/events/blocking-transaction.ts": ["event"],
  "lib/events/restore-offset.ts": ["event"],
  "lib/keys/encrypted-table.ts": ["alert_channel", "integration", "integration_secret"],
  "lib/owners/find-accounts.ts": ["owner"],
  "lib/webhooks/due-delivery-gauges.ts": ["app_grant", "webhook_delivery"],
};

/** An app has many owners: its registration, its deletion and its webhooks concern all of them. */
const apps: Listed = {
  "lib/apps/expiry-rules.ts": ["app_grant", "authorization_code"],
  "lib/apps/metadata-documents.ts": ["app_grant"],
  "lib/cli/delete-expired-rows.ts": ["app_grant", "authorization_code"],
  "lib/grants/revoke-grants-to-apps.ts": ["app_grant"],
  "lib/oauth/account-deletion.ts": ["authorization_code"],
  "lib/owner-data/account-deletion.ts": ["webhook_delivery"],
  "lib/webhooks/deliveries.ts": ["webhook_attempt", "webhook_delivery"],
  "lib/webhooks/endpoints.ts": ["webhook_delivery"],
  "lib/webhooks/finish-fan-out.ts": ["event"],
  "lib/webhooks/finish-removals.ts": ["webhook_delivery"],
  "lib/webhooks/fan-out.ts": ["event"],
  "lib/webhooks/lease-deliveries.ts": ["app_grant", "webhook_delivery"],
  "lib/webhooks/record-attempt.ts": ["webhook_delivery"],
};

export const acrossOwners: Listed = { ...backgroundWork, ...operators, ...apps };
