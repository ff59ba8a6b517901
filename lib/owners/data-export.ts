import type { OwnerActor } from "@/lib/actor";
import { alias, all, identifier, list, literal, type Sql, sql } from "@/lib/sql";
import { unhurried } from "@/lib/unhurried";

/** Rows of one table, as the export has them. */
type Part = {
  table: string;
  columns: readonly string[];
  /** Which rows; those that name the owner unless told. */
  whose?: (ownerId: string) => Sql;
  /**
   * For tables that grow, which are read page by page: the columns by which an index of the owner's rows is ordered, the last
   * of them no two rows' same.
   */
  paged?: { by: readonly string[]; only?: Sql };
};

/** The rows `t` of an owner, and those of what they gave apps. */
export const ofOwner = (ownerId: string) => sql`t.owner_id = ${ownerId}`;
export const ofTheirGrants = (ownerId: string) =>
  sql`t.grant_id IN (SELECT id FROM app_grant WHERE owner_id = ${ownerId})`;

/** Columns or tables, with white space between them. */
export const names = (text: string): readonly string[] => text.trim().split(/\s+/);

const approval: Part = {
  table: "approval",
  columns: names(`
    id app_id question options background_context recommendation status resolution created_at resolved_at
    expires_at default_option_id owner_only content_hash deadline_passed_at simulated`),
};

/** What an owner takes along, by the name it has in the file. A test holds it against every column there is. */
export const parts: Record<string, Part> = {
  account: {
    table: "owner",
    columns: names("id email name created_at notifications_seen_at"),
    whose: (ownerId) => sql`t.id = ${ownerId}`,
  },
  settings: {
    table: "owner_settings",
    columns: names(`
      undo_seconds always_confirm single_keys theme density motion time_zone zone_known quiet_from quiet_until quiet_days
      quiet_breakthrough lock_screen email_alerts email_after_minutes first_steps_done_at updated_at`),
  },
  sessions: {
    table: "owner_session",
    columns: names("id method device address created_at signed_in_at last_seen_at expires_at ended_at"),
  },
  passkeys: { table: "passkey", columns: names("name transports created_at last_used_at") },
  recoveryCodes: { table: "recovery_code", columns: names("created_at used_at") },
  refusedSignIns: {
    table: "sign_in_refusal",
    columns: names("door minute count address elsewhere written_at seen_at mailed_at"),
  },
  registeredApps: {
    table: "app",
    columns: names("id kind name redirect_uris grant_types declared_scopes client_metadata created_at deleted_at"),
  },
  webhooks: {
    table: "webhook_endpoint",
    columns: names("id app_id url description types state disabled_reason created_at"),
  },
  connectedApps: {
    table: "app_grant",
    columns: names("id app_id created_at expires_at last_used_at revoked_at"),
  },
  permissions: {
    table: "grant_scope",
    columns: names("grant_id scope granted_at last_used_at"),
    whose: ofTheirGrants,
  },
  sharedAccounts: { table: "grant_integration", columns: names("grant_id integration_id"), whose: ofTheirGrants },
  tokens: {
    table: "token",
    columns: names("id grant_id kind scopes resource name created_at last_used_at expires_at revoked_at"),
    whose: ofTheirGrants,
  },
  appChoices: {
    table: "app_choice",
    columns: names("app_id questions_muted notifications_muted muted_types always_confirm lock_screen updated_at"),
  },
  integrations: {
    table: "integration",
    columns: names(`
      id provider issuer subject email label status status_reason buckets scopes asked account_name created_at
      checked_at refreshed_at disconnected_at`),
  },
  approvalsWaiting: { ...approval, paged: { by: ["created_at", "id"], only: sql`t.status = 'pending'` } },
  approvalsAnswered: { ...approval, paged: { by: ["resolved_at", "id"], only: sql`t.status = 'resolved'` } },
  approvalsDesk: {
    table: "approval_desk",
    columns: names(`
      approval_id seen_at snoozed_until returned_at unexpected_at held_answer commit_at overtaken_at changed_at
      asked_back_at`),
    paged: { by: ["approval_id"] },
  },
  approvalsQuestions: {
    table: "approval_question",
    columns: names("approval_id nth text created_at told_at"),
    paged: { by: ["approval_id", "nth"] },
  },
  approvalsAdditions: {
    table: "approval_addition",
    columns: names("approval_id nth text created_at"),
    paged: { by: ["approval_id", "nth"] },
  },
  approvalsOutcomes: {
    table: "approval_outcome",
    columns: names("approval_id nth status text link created_at"),
    paged: { by: ["approval_id", "nth"] },
  },
  notifications: {
    table: "notification",
    columns: names(`
      id app_id title body type data created_at read_at surfaced_at done_at expires_at urgent replaced_at`),
    paged: { by: ["created_at", "id"] },
  },
  alertedBrowsers: {
    table: "push_subscription",
    columns: names("id service device created_at last_seen_at last_told_at"),
  },
  activity: {
    table: "event",
    columns: names("id app_id type subject data created_at"),
    paged: { by: ["id"] },
  },
};

/**
 * Columns and tables that stay here. Secrets and what they are checked with; what is only on its way, and gone within the
 * hour; and what the export says already in other words.
 */
export const withheld: Record<string, readonly string[] | "whole"> = {
  owner: names("password_hash session_version first"),
  owner_settings: ["owner_id"],
  owner_session: ["owner_id"],
  passkey: names("id owner_id public_key counter"),
  passkey_challenge: "whole",
  recovery_code: ["hash", "owner_id"],
  sign_in_link: "whole",
  sign_in_refusal: ["owner_id"],
  app: names(`
    owner_id name_skeleton name_folded secret_hash secret_last4 secret_used_at old_secret_hash old_secret_last4
    old_secret_until old_secret_used_at registration_token_hash metadata_url metadata_fresh_until
    metadata_good_until`),
  app_grant: ["owner_id"],
  grant_scope: [],
  grant_integration: [],
  token: names("hash family_id last4"),
  refresh_token: "whole",
  authorization_code: "whole",
  consent_request: "whole",
  device_code: "whole",
  idempotency: "whole",
  app_choice: ["owner_id"],
  integration: names(`
    owner_id token_expires_at check_at failures failing_since lease lease_until erase_at status_before`),
  // What opens an account at its provider leaves for nobody.
  integration_secret: "whole",
  link_attempt: "whole",
  approval: names("owner_id wire talk untold"),
  approval_desk: names("owner_id held_hash reminded_at remind_mailed_at"),
  approval_question: ["owner_id"],
  approval_addition: ["owner_id"],
  approval_outcome: ["owner_id"],
  notification: ["owner_id", "dedupe_key"],
  // Only what has been told and what is to be told next.
  alert: "whole",
  alert_watch: "whole",
  push_subscription: names("owner_id session_id hash sealed"),
  // Kept for a week, and on the developer's pages meanwhile.
  api_request: "whole",
  webhook_delivery: "whole",
  webhook_endpoint: names("owner_id failures failing_since since"),
  event: ["owner_id", "tx"],
};

/** Rows of a page. */
const size = 500;

/**
 * Everything that is the owner's as the text of one JSON object, piece by piece, as it is wanted. Times are ISO 8601. Each
 * piece is read when its turn comes: what happens meanwhile may be in one list and not yet in another.
 */
export async function* exportData({ ownerId }: OwnerActor): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(new Date().toISOString())}`;
  for (const [name, part] of Object.entries(parts)) {
    yield `,\n\n${JSON.stringify(name)}:[`;
    let first = true;
    for await (const rows of pages(part, ownerId)) {
      if (rows.length > 0) yield `${first ? "\n" : ",\n"}${rows.join(",\n")}`;
      if (rows.length > 0) first = false;
    }
    yield "]";
  }
  yield "}\n";
}

async function* pages({ table, columns, whose = ofOwner, paged }: Part, ownerId: string): AsyncGenerator<string[]> {
  const fields = list(columns.map((name) => sql`${identifier(`t.${name}`)} AS ${alias(camel(name))}`));
  const row = sql`(SELECT row_to_json(r)::text FROM (SELECT ${fields}) AS r)`;
  const from = sql`FROM ${identifier(table)} t WHERE ${whose(ownerId)}`;
  if (!paged) {
    const { rows } = await unhurried(sql<{ json: string }>`SELECT ${row} AS json ${from}`);
    yield rows.map(({ json }) => json);
    return;
  }
  const by = paged.by.map((name) => identifier(`t.${name}`));
  let after: string[] | undefined;
  do {
    const wanted = all([paged.only, after && sql`(${list(by)}) > (${list(after.map((it) => sql`${it}`))})`]);
    const { rows } = await unhurried(sql<{ json: string; at: string[] }>`
      SELECT ${row} AS json, ARRAY[${list(by.map((it) => sql`${it}::text`))}] AS at ${from} AND ${wanted}
      ORDER BY ${list(by)} LIMIT ${literal(size)}`);
    yield rows.map(({ json }) => json);
    after = rows.length === size ? rows.at(-1)?.at : undefined;
  } while (after);
}

/** `created_at` as `createdAt`. */
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
