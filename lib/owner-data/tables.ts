import * as alerts from "@/lib/alerts/owner-tables";
import * as approvals from "@/lib/approvals/owner-tables";
import * as apps from "@/lib/apps/owner-tables";
import * as archive from "@/lib/archive/owner-tables";
import type { ExportedTable, OwnerTable } from "@/lib/database/owner-table";
import * as events from "@/lib/events/owner-tables";
import * as grants from "@/lib/grants/owner-tables";
import * as integrations from "@/lib/integrations/owner-tables";
import * as notifications from "@/lib/notifications/owner-tables";
import * as oauth from "@/lib/oauth/owner-tables";
import * as owners from "@/lib/owners/owner-tables";
import * as access from "@/lib/requests/owner-tables";
import * as traffic from "@/lib/traffic/owner-tables";
import * as webhooks from "@/lib/webhooks/owner-tables";

/* A new table with an owner is a line in its domain's `owner-tables.ts`, and one or two here. Tests name what is missing. */

/**
 * What goes with an owner, in an order that foreign keys allow; their apps and their account go after it, and the log of
 * their activity stays.
 */
export const deletedTables: readonly OwnerTable[] = [
  oauth.authorizationCodes,
  oauth.refreshTokens,
  grants.tokens,
  grants.scopes,
  grants.takenScopes,
  grants.sharedAccounts,
  webhooks.deliveries,
  oauth.deviceCodes,
  integrations.linkAttempts,
  oauth.consentRequests,
  grants.grants,
  integrations.linked,
  grants.appChoices,
  alerts.answerLinks,
  approvals.approvalTriage,
  approvals.pendingApprovals,
  approvals.questions,
  approvals.additions,
  approvals.outcomes,
  notifications.pushedNotifications,
  webhooks.endpoints,
  access.replies,
  traffic.requests,
  alerts.alerts,
  alerts.watches,
  alerts.browsers,
  alerts.channels,
  owners.settings,
  owners.sessions,
  owners.passkeys,
  owners.passkeyChallenges,
  owners.recoveryCodes,
  owners.signInLinks,
  owners.refusedSignIns,
  events.removed,
  archive.parts,
];

/** What an app may be writing in the very moment in which its owner leaves. */
export const deliveryTables: readonly OwnerTable[] = [
  approvals.pendingApprovals,
  notifications.pushedNotifications,
  access.replies,
  traffic.requests,
  webhooks.deliveries,
];

/** What an owner takes along, by the name it has in the file. */
export const exportedTables: Readonly<Record<string, ExportedTable>> = {
  account: owners.accounts,
  settings: owners.settings,
  sessions: owners.sessions,
  passkeys: owners.passkeys,
  recoveryCodes: owners.recoveryCodes,
  refusedSignIns: owners.refusedSignIns,
  registeredApps: apps.registered,
  webhooks: webhooks.endpoints,
  connectedApps: grants.grants,
  permissions: grants.scopes,
  sharedAccounts: grants.sharedAccounts,
  tokens: grants.tokens,
  appChoices: grants.appChoices,
  integrations: integrations.linked,
  approvalsWaiting: approvals.pendingApprovals,
  approvalsAnswered: approvals.resolvedApprovals,
  approvalsDesk: approvals.approvalTriage,
  approvalsQuestions: approvals.questions,
  approvalsAdditions: approvals.additions,
  approvalsOutcomes: approvals.outcomes,
  notifications: notifications.pushedNotifications,
  alertedBrowsers: alerts.browsers,
  alertChannels: alerts.channels,
  activity: events.activity,
};
