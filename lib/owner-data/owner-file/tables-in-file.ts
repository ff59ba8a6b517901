import * as alerts from "@/lib/alerts/owner-data-tables";
import * as approvals from "@/lib/approvals/owner-data-tables";
import * as apps from "@/lib/apps/owner-data-tables";
import * as archive from "@/lib/archive/owner-data-tables";
import type { ExportedTable, OwnerTable } from "@/lib/database/owner-data-table";
import { columnNames } from "@/lib/database/owner-data-table";
import { type Sql, sql } from "@/lib/database/sql";
import * as freeze from "@/lib/freeze/owner-data-tables";
import * as grants from "@/lib/grants/owner-data-tables";
import * as integrations from "@/lib/integrations/owner-data-tables";
import { dataKeys } from "@/lib/keys/tables-in-owner-files";
import * as notifications from "@/lib/notifications/owner-data-tables";
import * as oauth from "@/lib/oauth/owner-data-tables";
import * as owners from "@/lib/owners/owner-data-tables";
import { publicKeyTable } from "@/lib/receipts/public-key-table";
import * as traffic from "@/lib/traffic/owner-data-tables";
import * as webhooks from "@/lib/webhooks/owner-data-tables";

/*
 * The tables that an owner's file restores, in an order that foreign keys allow. A new table of
 * owners needs a line here or in `leftBehind`, which a test checks. Names in the file do not depend
 * on the database's names, so that a version with renamed tables reads files of earlier versions.
 */

/** A table in the file. */
export type FileTable = {
  of: Pick<OwnerTable, "table" | "condition"> & Pick<ExportedTable, "paged">;
  /** The columns that the file lacks, so that they get their default values. */
  omits?: readonly string[];
  /** The only columns in the file. */
  only?: readonly string[];
  /** SQL: other values than the columns of a row `t`. */
  values?: Readonly<Record<string, Sql>>;
  /** What happens if a row exists. Otherwise, the import fails. */
  existing?: "keep" | "replace placeholder";
};

const retired = { retired_at: sql`coalesce(t.retired_at, now())` };

/** SQL: the keys that encrypt an owner's stored secrets. */
const usedKeys = (ownerId: string) =>
  sql`${integrations.keysOfCredentials(ownerId)}
    UNION ${webhooks.keysOfSecrets(ownerId)}
    UNION ${alerts.keysOfChannels(ownerId)}`;

/** The apps of others that an owner's data names. */
const otherApps = (kinds: Sql) => ({
  ...apps.registered,
  condition: (ownerId: string) => sql`${kinds}
    AND t.owner_id IS DISTINCT FROM ${ownerId} AND t.id IN (
    ${grants.appsEverConnected(ownerId)}
      UNION ${approvals.appsThatAsked(ownerId)}
      UNION ${notifications.appsThatNotified(ownerId)}
  )`,
});

export const tablesInFile: Readonly<Record<string, FileTable>> = {
  receiptKeys: { of: publicKeyTable, omits: ["sealed"], values: retired, existing: "keep" },
  dataKeys: { of: dataKeys(usedKeys), values: retired, existing: "keep" },
  account: { of: owners.accounts, omits: ["first"] },
  settings: { of: owners.settings },
  passkeys: { of: owners.passkeys },
  removedPasskeys: { of: owners.removedPasskeys },
  recoveryCodes: { of: owners.recoveryCodes },
  failedSignIns: { of: owners.failedSignIns },
  registeredApps: {
    of: { ...apps.registered, condition: (ownerId) => sql`t.owner_id = ${ownerId}` },
    existing: "replace placeholder",
  },
  // Anyone can be connected to these apps, so only the first imported file creates them.
  selfRegisteredApps: {
    of: otherApps(sql`t.kind IN ('dynamic', 'metadata')`),
    existing: "keep",
  },
  // Only the names, for the owner's questions and notifications.
  otherOwnersApps: {
    of: otherApps(sql`t.kind IN ('manual', 'test')`),
    only: columnNames("id kind name name_skeleton name_folded created_at deleted_at"),
    values: { deleted_at: sql`coalesce(t.deleted_at, now())` },
    existing: "keep",
  },
  webhooks: { of: webhooks.endpoints, omits: columnNames("since since_time failures failing_since") },
  webhookSecrets: { of: webhooks.secrets },
  appPreferences: { of: grants.appPreferences },
  // Before the permissions, because a trigger freezes new ones.
  freezes: { of: freeze.freezes },
  frozenRequests: { of: traffic.frozenRequests },
  integrations: { of: integrations.linked, omits: columnNames("lease lease_until") },
  credentials: { of: integrations.credentials },
  connectedApps: { of: grants.grants },
  permissions: { of: grants.scopes },
  sharedAccounts: { of: grants.sharedAccounts },
  tokens: { of: grants.tokens },
  refreshTokens: { of: oauth.refreshTokens },
  // A trigger fills `thread_json` from the parts of an approval.
  approvalsWaiting: { of: approvals.pendingApprovals, omits: ["thread_json"] },
  approvalsAnswered: { of: approvals.resolvedApprovals, omits: ["thread_json"] },
  approvalsTriage: { of: approvals.approvalTriage },
  approvalsQuestions: { of: approvals.questions },
  approvalsAdditions: { of: approvals.additions },
  approvalsOutcomes: { of: approvals.outcomes },
  approvalsUses: { of: approvals.uses },
  notifications: { of: notifications.pushedNotifications },
  alertChannels: { of: alerts.channels },
  // Without a position, so that only questions from after the import are alerted.
  alertCursor: { of: alerts.watches, omits: columnNames("since looked_upto look_again_at") },
  archive: { of: archive.parts, omits: ["id"] },
};

/** The tables of owners that the file lacks, and why. */
export const leftBehind: Readonly<Record<string, string>> = {
  alert: "Alerts that were sent stay where they are.",
  alert_delivery: "Alerts that were sent stay where they are.",
  alert_subject: "Alerts that were sent stay where they are.",
  answer_link: "Links in emails expire within minutes.",
  api_request: "The request log is deleted after a week.",
  authorization_code: "Codes expire within minutes.",
  consent_request: "Requests expire within minutes.",
  device_code: "Codes expire within minutes.",
  email_route: "A trigger creates it with the account.",
  event: "Positions in the log have no meaning in another database. Apps get 410 and read again.",
  event_removed: "Positions in the log have no meaning in another database.",
  idempotency: "Replies are kept for a day.",
  link_attempt: "Attempts expire within minutes.",
  owner_session: "The owner signs in again.",
  passkey_challenge: "Challenges expire within minutes.",
  push_subscription: "A browser's alerts end with its session.",
  sign_in_link: "Links expire within minutes.",
  revoked_scope: "A revoked scope can be restored for seconds.",
  webhook_attempt: "Attempts are deleted after a week.",
  webhook_delivery: "Events that are not delivered yet are lost.",
};
