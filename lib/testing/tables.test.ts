import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/*
 * A table belongs to one domain, and the others go through what that exports: a function, a view, or a piece of SQL. What they
 * still name themselves is listed here, and these lists only become shorter: what is not found any more has to be deleted.
 */

/** Which domain each table belongs to. */
const owners: Record<string, readonly string[]> = {
  events: ["event"],
  keys: ["data_key"],
  cli: ["secret_check"],
  access: ["idempotency"],
  owners: [
    "owner",
    "owner_settings",
    "owner_session",
    "passkey",
    "passkey_challenge",
    "recovery_code",
    "sign_in_link",
    "sign_in_refusal",
    "throttle",
  ],
  apps: ["app"],
  grants: ["app_grant", "grant_scope", "grant_integration", "token", "app_choice"],
  oauth: ["authorization_code", "refresh_token", "consent_request", "device_code", "pushed_request"],
  traffic: ["api_request"],
  approvals: ["approval", "approval_desk", "approval_question", "approval_addition", "approval_outcome"],
  notifications: ["notification"],
  integrations: ["integration", "integration_secret", "link_attempt"],
  alerts: ["alert", "alert_subject", "alert_delivery", "alert_watch", "push_subscription"],
  receipts: ["receipt_key"],
  webhooks: ["webhook_endpoint", "webhook_secret", "webhook_delivery", "webhook_attempt", "webhook_cursor"],
};
const ownerOf = new Map(Object.entries(owners).flatMap(([domain, tables]) => tables.map((table) => [table, domain])));

/** Files that write a table of another domain. */
const writers = [
  "lib/approvals/asked-before.ts → idempotency",
  // We speak in the owner's feed ourselves, in the change that it tells of.
  "lib/events/notify.ts → notification",
  "lib/notifications/triage.ts → owner",
  // Leaving takes along what all domains hold: see `theirs`.
  "lib/owners/deletion.ts → app",
  "lib/owners/deletion.ts → app_grant",
  // A browser that shows alerts goes on doing so in the next session.
  "lib/owners/sessions.ts → push_subscription",
];

/** Tables of others that the statements of a domain name. */
const readers = {
  alerts: "app app_choice approval approval_desk event notification owner owner_settings",
  approvals: "app app_choice idempotency owner_settings",
  cli: "owner",
  "event-feed": "approval approval_question event integration notification",
  events: "app approval integration notification",
  grants: "app approval event integration notification",
  notifications: "app app_choice owner",
  oauth: "app integration",
  // Leaving and taking everything along are told of all tables.
  owners:
    "alert alert_watch api_request app app_choice app_grant approval approval_addition approval_desk approval_outcome approval_question authorization_code consent_request device_code event grant_integration grant_scope idempotency integration link_attempt notification push_subscription refresh_token token webhook_delivery webhook_endpoint",
  postgres: "event",
  traffic: "app",
  webhooks: "app event",
};

const schema = readFileSync("prisma/schema.prisma", "utf8");
/** Prisma's models, as code calls them, with their tables. */
const tableOf = new Map(
  [...schema.matchAll(/^model (\w+) \{.*?^ {2}@@map\("(\w+)"\)/gms)].map(([, model = "", table = ""]) => [
    model.replace(/^./, (letter) => letter.toLowerCase()),
    table,
  ]),
);

const files = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /\.tsx?$/.test(path) && !/\.test\.tsx?$|^lib\/(generated|testing)\//.test(path) ? [path] : [];
  });

/** After a keyword of SQL, tables with their aliases, several with commas between. */
const inSql =
  /\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\s+(\w+(?:\s+(?:AS\s+)?[a-z]\w*)?(?:\s*,\s*\w+(?:\s+[a-z]\w*)?)*)/g;
const writtenInSql = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/g;
const byPrisma = /\b(?:db|tx)\.(\w+)\.(\w+)\(/g;
/** What is put into SQL later, to delete from it or to read it. */
const byName = /\btable: "(\w+)"/g;
const byNames = /\btables\(\s*["`]([a-z_\s]+)["`]/g;

const known = (words: (string | undefined)[]) =>
  new Set(words.filter((word) => word !== undefined && ownerOf.has(word)) as string[]);

/** The tables that a text names. */
const named = (text: string) =>
  known([
    ...[...text.matchAll(inSql)].flatMap(([, list = ""]) => list.split(",").map((it) => it.trim().split(/\s/)[0])),
    ...[...text.matchAll(byPrisma)].map(([, model = ""]) => tableOf.get(model)),
    ...[...text.matchAll(byName)].map(([, table]) => table),
    ...[...text.matchAll(byNames)].flatMap(([, tables = ""]) => tables.trim().split(/\s+/)),
  ]);

/** The tables that it writes. */
const written = (text: string) =>
  known([
    ...[...text.matchAll(writtenInSql)].map(([, table]) => table),
    ...[...text.matchAll(byPrisma)].map(([, model = "", call = ""]) =>
      /^(find|count|aggregate|group)/.test(call) ? undefined : tableOf.get(model),
    ),
  ]);

const domainOf = (file: string) => /^lib\/([\w-]+)\//.exec(file)?.[1] ?? file;
const sources = files("lib").map((file) => ({ file, domain: domainOf(file), text: readFileSync(file, "utf8") }));

test("every table has one owner", () => {
  expect([...tableOf.values()].sort()).toEqual([...ownerOf.keys()].sort());
  expect(Object.values(owners).flat()).toHaveLength(ownerOf.size);
});

test("tables are seen in every form in which they are named", () => {
  const forms = [
    "SELECT FROM owner o, app AS a JOIN token t ON true",
    "DELETE FROM alert USING integration i",
    "INSERT INTO event SELECT",
    "UPDATE approval a SET",
    "db.webhookEndpoint.findMany({",
    "tx.passkey.delete({",
    '{ table: "throttle", when }',
    'tables("data_key alert_watch")',
  ].join("\n");
  const found = ["owner", "app", "token", "alert", "integration", "event", "approval", "webhook_endpoint", "passkey"];
  expect([...named(forms)]).toEqual([...found, "throttle", "data_key", "alert_watch"]);
  expect([...written(forms)]).toEqual(["alert", "event", "approval", "passkey"].sort(byPlaceIn(forms)));
});

const byPlaceIn = (text: string) => (one: string, other: string) => text.indexOf(one) - text.indexOf(other);

test("what a domain keeps is written by that domain alone", () => {
  const foreign = sources.flatMap(({ file, domain, text }) =>
    [...written(text)].filter((table) => ownerOf.get(table) !== domain).map((table) => `${file} → ${table}`),
  );
  expect(foreign.sort()).toEqual(writers);
});

test("what a domain keeps is read by that domain alone", () => {
  const foreign: Record<string, string[]> = {};
  for (const { domain, text } of sources)
    for (const table of named(text)) if (ownerOf.get(table) !== domain) (foreign[domain] ??= []).push(table);
  const found = Object.entries(foreign).map(([domain, tables]) => [domain, [...new Set(tables)].sort().join(" ")]);
  expect(Object.fromEntries(found)).toEqual(readers);
});
