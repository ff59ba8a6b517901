import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/*
 * Each table belongs to one domain. Other domains access it only through that domain's exports: a
 * function, a view, or a piece of SQL.
 */

/** The tables of each domain. */
const owners: Record<string, readonly string[]> = {
  events: ["event", "skipped_transaction", "event_removed", "retention"],
  archive: ["archive_part"],
  keys: ["data_key", "retained_key"],
  cli: ["secret_check"],
  database: ["shard", "home_placement", "placement_version", "instance_placement"],
  requests: ["idempotency"],
  owners: [
    "owner",
    "owner_settings",
    "owner_session",
    "passkey",
    "passkey_challenge",
    "removed_passkey",
    "recovery_code",
    "sign_in_link",
    "failed_sign_in",
    "email_route",
    "throttle",
  ],
  apps: ["app"],
  grants: ["app_grant", "grant_scope", "revoked_scope", "grant_integration", "token", "app_preferences"],
  oauth: ["authorization_code", "refresh_token", "consent_request", "device_code"],
  traffic: ["api_request", "frozen_request"],
  freeze: ["app_freeze"],
  approvals: [
    "approval",
    "approval_triage",
    "approval_question",
    "approval_addition",
    "approval_outcome",
    "approval_use",
  ],
  notifications: ["notification"],
  integrations: ["integration", "integration_secret", "link_attempt"],
  alerts: [
    "alert",
    "alert_subject",
    "alert_delivery",
    "alert_cursor",
    "alert_channel",
    "answer_link",
    "push_subscription",
  ],
  receipts: ["receipt_key"],
  webhooks: ["webhook_endpoint", "webhook_secret", "webhook_delivery", "webhook_attempt", "webhook_cursor"],
};
const ownerOf = new Map(Object.entries(owners).flatMap(([domain, tables]) => tables.map((table) => [table, domain])));

const schema = readFileSync("prisma/schema.prisma", "utf8");
/** The table of each Prisma model, by the model's name in code. */
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

/** Matches table names, with their aliases, after an SQL keyword. */
const inSql =
  /\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\s+(\w+(?:\s+(?:AS\s+)?[a-z]\w*)?(?:\s*,\s*\w+(?:\s+[a-z]\w*)?)*)/g;
const byPrisma = /\b(?:db|tx)\.(\w+)\.(\w+)\(/g;
/**
 * Matches table names that code passes as values, so that other code can delete from or read the
 * tables.
 */
const byName = /\btable: "(\w+)"/g;

const known = (words: (string | undefined)[]) =>
  new Set(words.filter((word) => word !== undefined && ownerOf.has(word)) as string[]);

/** Returns the tables whose names occur in a text. */
const named = (text: string) =>
  known([
    ...[...text.matchAll(inSql)].flatMap(([, list = ""]) => list.split(",").map((it) => it.trim().split(/\s/)[0])),
    ...[...text.matchAll(byPrisma)].map(([, model = ""]) => tableOf.get(model)),
    ...[...text.matchAll(byName)].map(([, table]) => table),
  ]);

const domainOf = (file: string) => /^lib\/([\w-]+)\//.exec(file)?.[1] ?? file;
const sources = files("lib").map((file) => ({ file, domain: domainOf(file), text: readFileSync(file, "utf8") }));

test("assigns every table to one domain", () => {
  expect([...tableOf.values()].sort()).toEqual([...ownerOf.keys()].sort());
  expect(Object.values(owners).flat()).toHaveLength(ownerOf.size);
});

test("recognizes tables in every form of SQL", () => {
  const forms = [
    "SELECT FROM owner o, app AS a JOIN token t ON true",
    "DELETE FROM alert USING integration i",
    "INSERT INTO event SELECT",
    "UPDATE approval a SET",
    "db.webhookEndpoint.findMany({",
    "tx.passkey.delete({",
    '{ table: "throttle", when }',
  ].join("\n");
  const found = ["owner", "app", "token", "alert", "integration", "event", "approval", "webhook_endpoint", "passkey"];
  expect([...named(forms)]).toEqual([...found, "throttle"]);
});

test("queries only a domain's own tables", () => {
  const foreign = sources.flatMap(({ file, domain, text }) =>
    [...named(text)].filter((table) => ownerOf.get(table) !== domain).map((table) => `${file} → ${table}`),
  );
  expect(foreign).toEqual([]);
});
