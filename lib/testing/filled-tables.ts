import pg from "pg";
import { applyRestoreOffset } from "@/lib/events/restore-offset";

/** The number of rows in each table that grows with activity. */
export const many = 100_000;
/** The number of rows in each table that grows with owners. */
const owners = 1000;

const ago = "now() - n * interval '1 minute'";
const longAgo = "now() - interval '100 days'";
/**
 * Returns SQL for a column: one value for the first eight rows, which are due, and another value
 * for all others.
 */
const rarely = (value: string, otherwise = "NULL") => `CASE WHEN n < 9 THEN ${value} ELSE ${otherwise} END`;
const one = (what: string, of: number) => `'${what}_' || n % ${of}`;
const [owner, app, grant] = [one("own", owners), one("app", owners), one("grt", many)];
const approval = "'apr_' || md5(n::text)";
const hash = (what: string) => `sha256(('${what}' || n)::bytea)`;

/**
 * How each table is filled: the number of rows, and each column's value for the n-th row. As in a
 * service that has run for months, only a few rows are due.
 */
const filling: Record<string, [rows: number, columns: Record<string, string>]> = {
  owner: [owners, { id: owner, email: "'o' || n || '@example.com'", name: "'Owner'", password_hash: "''" }],
  owner_settings: [owners, { owner_id: owner, email_alerts: "n % 2 = 0" }],
  app: [
    owners,
    {
      id: app,
      owner_id: rarely("NULL", owner),
      name: "'App ' || n",
      name_skeleton: "'app ' || n",
      kind: rarely("'dynamic'", "'manual'"),
      created_at: longAgo,
      deleted_at: "CASE WHEN n BETWEEN 20 AND 30 THEN now() END",
    },
  ],
  alert_cursor: [owners, { owner_id: owner, looked_upto: String(many) }],
  push_subscription: [
    owners,
    {
      id: "'psh_' || n",
      owner_id: owner,
      session_id: "''",
      hash: hash("p"),
      sealed: "''",
      service: "''",
      device: "''",
      last_seen_at: rarely(longAgo, "now()"),
    },
  ],
  alert_channel: [
    owners,
    {
      id: "'chn_' || n",
      owner_id: owner,
      kind: "'ntfy'",
      name: "'ntfy'",
      service: "'ntfy.example'",
      key_id: "'key_1'",
      sealed: "''",
    },
  ],
  webhook_endpoint: [
    owners,
    {
      id: "'whk_' || n",
      owner_id: owner,
      app_id: app,
      url: "'https://r.example'",
      state: "CASE WHEN n < 100 THEN 'on' ELSE 'off' END",
    },
  ],
  webhook_secret: [
    owners,
    { id: "'whs_' || n", endpoint_id: "'whk_' || n", key_id: "'key_1'", sealed: "''", retires_at: rarely("now()") },
  ],
  app_preferences: [owners, { owner_id: owner, app_id: app }],
  integration: [
    many,
    {
      id: "'int_' || n",
      owner_id: owner,
      provider: "'google'",
      issuer: "'https://id.example'",
      subject: "n::text",
      email: "''",
      status: "CASE WHEN n % 2 = 0 THEN 'disconnected' ELSE 'connected' END",
      disconnected_at: `CASE WHEN n < 9 AND n % 2 = 0 THEN ${longAgo} WHEN n % 2 = 0 THEN now() - interval '1 day' END`,
      check_at: "CASE WHEN n IN (1, 3) THEN now() WHEN n % 2 = 1 THEN now() + interval '1 day' END",
      erase_at: "CASE WHEN n IN (2, 4) THEN now() END",
    },
  ],
  grant_integration: [many, { owner_id: owner, grant_id: grant, integration_id: "'int_' || n" }],
  app_grant: [many, { id: grant, owner_id: owner, app_id: app, revoked_at: `CASE WHEN n > ${owners} THEN now() END` }],
  grant_scope: [many, { owner_id: owner, grant_id: grant, scope: "'approvals:write'" }],
  token: [
    many,
    {
      id: "'tok_' || n",
      hash: hash("t"),
      owner_id: owner,
      kind: "'access'",
      grant_id: grant,
      family_id: "''",
      scopes: "'{}'",
      last4: "''",
      expires_at: ago,
    },
  ],
  refresh_token: [
    many,
    {
      hash: hash("r"),
      owner_id: owner,
      grant_id: grant,
      family_id: "''",
      scopes: "'{}'",
      expires_at: rarely(longAgo, "now() + interval '1 day'"),
      ends_at: "now()",
    },
  ],
  authorization_code: [
    many,
    {
      hash: hash("c"),
      owner_id: owner,
      app_id: app,
      grant_id: grant,
      family_id: "''",
      redirect_uri: "''",
      code_challenge: "''",
      scopes: "'{}'",
      expires_at: rarely(longAgo, "now()"),
    },
  ],
  owner_session: [
    many,
    {
      id: "'ses_' || n",
      owner_id: owner,
      method: "'password'",
      device: "''",
      address: "''",
      expires_at: "now() + interval '1 day'",
      ended_at: rarely("now()"),
    },
  ],
  event: [
    many,
    {
      owner_id: owner,
      app_id: app,
      type: "CASE WHEN n % 5 > 0 THEN 'approval.submitted' ELSE 'notification.read' END",
      subject: approval,
      created_at: `now() - (${many + 1} - n) * interval '1 minute'`,
      tx: "n::text::xid8",
    },
  ],
  event_removed: [many, { owner_id: owner, whose: "'app_' || n", tx: "n::text::xid8", event_id: "n" }],
  archive_part: [
    many,
    {
      ...{ owner_id: owner, kind: "'activity'", rows: "1", first_at: ago, last_at: ago, data: "''" },
      created_at: rarely(longAgo, "now()"),
    },
  ],
  approval: [
    many,
    {
      id: approval,
      owner_id: owner,
      app_id: app,
      question: "'Ship it?'",
      created_at: ago,
      options: `'[{"id":"yes","label":"Yes"}]'`,
      status: "CASE WHEN n % 100 = 0 THEN 'pending' ELSE 'resolved' END",
      resolution: `CASE WHEN n % 100 > 0 THEN '{"kind":"option","optionId":"yes","resolvedBy":"owner"}'::json END`,
      resolved_at: "CASE WHEN n % 100 > 0 THEN now() END",
      expires_at: `CASE WHEN n = 200 THEN ${longAgo} ELSE now() + n * interval '1 minute' END`,
    },
  ],
  approval_triage: [
    many,
    {
      approval_id: approval,
      owner_id: owner,
      seen_at: ago,
      snoozed_until: `CASE WHEN n = 500 THEN ${longAgo} WHEN n % 500 = 0 THEN now() + interval '1 day' END`,
      held_answer: `CASE WHEN n = 100 THEN '{"kind":"option","optionId":"yes"}'::json END`,
      commit_at: "CASE WHEN n = 100 THEN now() END",
      clarification_asked_at: "CASE WHEN n % 1000 = 0 THEN now() END",
    },
  ],
  // One owner froze all apps, and a hundred questions are not marked yet.
  app_freeze: [1, { owner_id: "'own_700'", app_id: "''", by: "'owner'", began_at: longAgo }],
  notification: [
    many,
    {
      id: "'ntf_' || n",
      owner_id: owner,
      app_id: app,
      title: "'Done'",
      type: "'info'",
      data: "'{}'",
      created_at: ago,
      read_at: "now()",
      expires_at: `CASE WHEN n < 9 THEN ${longAgo} WHEN n % 10 = 0 THEN now() + interval '1 day' END`,
    },
  ],
  api_request: [
    many,
    {
      id: "'req_' || n",
      owner_id: owner,
      app_id: app,
      method: "'GET'",
      path: "'/'",
      status: "200",
      ms: "1",
      created_at: rarely(longAgo, "now()"),
    },
  ],
  idempotency: [
    many,
    {
      owner_id: owner,
      app_id: app,
      operation: "'submit'",
      key: "n::text",
      request_hash: "''",
      status: "201",
      reply: "'{}'",
      created_at: rarely(longAgo, "now()"),
    },
  ],
  failed_sign_in: [
    many,
    {
      owner_id: owner,
      step: "'password'",
      address: "''",
      written_at: rarely("NULL", "now()"),
      // Nearly all times are in the last four weeks, because the sweep deletes rows after a month.
      minute: `CASE WHEN n BETWEEN 9 AND 16 THEN ${longAgo} ELSE now() - n * interval '20 seconds' END`,
    },
  ],
  throttle: [many, { key: "n::text", failures: "1", expires_at: rarely(longAgo, "now() + interval '1 hour'") }],
  alert: [
    many,
    {
      id: "'alt_' || n",
      owner_id: owner,
      app_id: app,
      about: "'questions'",
      tag: "n::text",
      created_at: ago,
      closed_at: rarely(longAgo, "now()"),
    },
  ],
  alert_subject: [many, { owner_id: owner, subject: approval, alert_id: "'alt_' || n" }],
  alert_delivery: [
    many,
    {
      owner_id: owner,
      alert_id: "'alt_' || n",
      target_id: one("psh", owners),
      kind: "'show'",
      ended_at: "now()",
      outcome: "'sent'",
    },
  ],
  webhook_delivery: [
    many,
    {
      id: "'whd_' || n",
      endpoint_id: one("whk", owners),
      owner_id: owner,
      event: "n::text",
      type: "''",
      body: "'{}'",
      state: "CASE WHEN n % 1000 = 0 THEN 'pending' ELSE 'delivered' END",
      ended_at: `CASE WHEN n < 9 THEN ${longAgo} WHEN n % 1000 > 0 THEN now() END`,
    },
  ],
  webhook_attempt: [many, { owner_id: owner, delivery_id: "'whd_' || n", number: "1", at: "now()", ms: "1" }],
};

/**
 * Fills a migrated database with rows like those of a long-running service. Turns off triggers and
 * foreign keys, which slow inserts down.
 * @returns the tables that were not filled
 */
export async function fill(databaseUrl: string): Promise<string[]> {
  const tables = Object.keys(filling);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SET session_replication_role = replica");
    // Inserts rows without indexes. REINDEX then builds and enables the indexes, which takes half
    // the time.
    const stored = tables.map((name) => (name === "event" ? "event_first" : name));
    await client.query("UPDATE pg_index SET indisready = false WHERE indrelid = ANY ($1::regclass[])", [stored]);
    for (const [table, [rows, columns]] of Object.entries(filling))
      await client.query(
        `INSERT INTO ${table} (${Object.keys(columns)}) SELECT ${Object.values(columns)} FROM generate_series(1, ${rows}) AS n`,
      );
    for (const table of stored) await client.query(`REINDEX TABLE ${table}`);
    // Makes new events follow the inserted events, as after a restored dump. Nearly all inserted
    // events have become webhook deliveries.
    await applyRestoreOffset(client);
    await client.query("UPDATE webhook_cursor SET tx = $1::text::xid8, event_id = $1::text::bigint", [many - 10]);
    // A transaction that ended long ago.
    await client.query("INSERT INTO skipped_transaction (xid) VALUES ('3')");
    // Some events are older than the retention period, and most of those are archived.
    await client.query("UPDATE retention SET event_days = 68, answered_days = 68");
    await client.query(
      "UPDATE retention SET archived_upto = (SELECT max(id) - 50 FROM event WHERE created_at < retention_cutoff(event_days))",
    );
    await client.query("VACUUM ANALYZE");
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
         AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    );
    return rows.map(({ name }) => name).filter((name) => !Object.hasOwn(filling, name));
  } finally {
    await client.end();
  }
}
