import * as alerts from "@/lib/alerts/owner-data-tables";
import * as approvals from "@/lib/approvals/owner-data-tables";
import * as apps from "@/lib/apps/owner-data-tables";
import * as archive from "@/lib/archive/owner-data-tables";
import type { ExportedTable, OwnerTable } from "@/lib/database/owner-data-table";
import * as events from "@/lib/events/owner-data-tables";
import * as freeze from "@/lib/freeze/owner-data-tables";
import * as grants from "@/lib/grants/owner-data-tables";
import * as integrations from "@/lib/integrations/owner-data-tables";
import * as notifications from "@/lib/notifications/owner-data-tables";
import * as oauth from "@/lib/oauth/owner-data-tables";
import * as owners from "@/lib/owners/owner-data-tables";
import * as access from "@/lib/requests/owner-data-tables";
import * as traffic from "@/lib/traffic/owner-data-tables";
import * as webhooks from "@/lib/webhooks/owner-data-tables";

/*
 * Account deletion and export must cover every table with an owner. A new table needs a line in its
 * domain's `owner-data-tables.ts`, and one or two lines here. Tests report missing tables.
 */

/**
 * The tables whose rows an account deletion deletes, in an order that foreign keys allow. Apps and
 * the account are deleted afterwards. The activity log stays.
 */
export const deletedTables: readonly OwnerTable[] = [
  oauth.authorizationCodes,
  oauth.refreshTokens,
  grants.tokens,
  grants.scopes,
  grants.revokedScopes,
  grants.sharedAccounts,
  webhooks.deliveries,
  oauth.deviceCodes,
  integrations.linkAttempts,
  oauth.consentRequests,
  grants.grants,
  integrations.linked,
  grants.appPreferences,
  alerts.answerLinks,
  approvals.approvalTriage,
  approvals.pendingApprovals,
  approvals.questions,
  approvals.additions,
  approvals.outcomes,
  approvals.uses,
  notifications.pushedNotifications,
  webhooks.endpoints,
  access.replies,
  traffic.requests,
  traffic.frozenRequests,
  freeze.freezes,
  alerts.alerts,
  alerts.watches,
  alerts.browsers,
  alerts.channels,
  owners.settings,
  owners.sessions,
  owners.passkeys,
  owners.removedPasskeys,
  owners.passkeyChallenges,
  owners.recoveryCodes,
  owners.signInLinks,
  owners.failedSignIns,
  events.removed,
  archive.parts,
  owners.emailRoutes,
];

/** Tables to which apps may be writing during the deletion. */
export const deliveryTables: readonly OwnerTable[] = [
  approvals.pendingApprovals,
  notifications.pushedNotifications,
  access.replies,
  traffic.requests,
  traffic.frozenRequests,
  webhooks.deliveries,
];

/** The tables in the data export, by their name in the file. */
export const exportedTables: Readonly<Record<string, ExportedTable>> = {
  account: owners.accounts,
  settings: owners.settings,
  sessions: owners.sessions,
  passkeys: owners.passkeys,
  removedPasskeys: owners.removedPasskeys,
  recoveryCodes: owners.recoveryCodes,
  failedSignIns: owners.failedSignIns,
  registeredApps: apps.registered,
  webhooks: webhooks.endpoints,
  connectedApps: grants.grants,
  permissions: grants.scopes,
  sharedAccounts: grants.sharedAccounts,
  tokens: grants.tokens,
  appPreferences: grants.appPreferences,
  freezes: freeze.freezes,
  integrations: integrations.linked,
  approvalsWaiting: approvals.pendingApprovals,
  approvalsAnswered: approvals.resolvedApprovals,
  approvalsTriage: approvals.approvalTriage,
  approvalsQuestions: approvals.questions,
  approvalsAdditions: approvals.additions,
  approvalsOutcomes: approvals.outcomes,
  approvalsUses: approvals.uses,
  notifications: notifications.pushedNotifications,
  alertedBrowsers: alerts.browsers,
  alertChannels: alerts.channels,
  activity: events.activity,
};
