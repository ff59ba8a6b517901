import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { newId } from "@/lib/ids";

/** A pending row and an answered row that satisfy every constraint. The values are SQL. */
const waiting = { status: "'pending'" };
const answered = {
  status: "'resolved'",
  resolved_at: "now()",
  resolution: `'{"kind":"option","optionId":"yes","resolvedBy":"owner"}'`,
};
const saying = (resolution: object | string) => ({ ...answered, resolution: `'${JSON.stringify(resolution)}'` });
const match = `'{"number":"47","offers":["12","47","93"]}'`;
const later = "now() + interval '1 hour'";

const insert = (row: Record<string, string>) => {
  const columns: Record<string, string> = { id: `'${newId("apr")}'`, owner_id: "'own'", app_id: "'app'", ...row };
  const all = { question: "'Ship it?'", options: "'[]'", ...columns };
  return pool().query(`INSERT INTO approval (${Object.keys(all)}) VALUES (${Object.values(all)}) RETURNING id`);
};

test.each<[rule: string, what: string, row: Record<string, string>]>([
  ["status_known", "an unknown status", { status: "'gone'" }],
  ["resolved_iff_resolution", "a resolved approval without an answer", { status: "'resolved'", resolved_at: "now()" }],
  [
    "resolved_iff_resolution",
    "a resolved approval without a time",
    { status: "'resolved'", resolution: answered.resolution },
  ],
  ["resolved_iff_resolution", "a resolved approval without an answer or time", { status: "'resolved'" }],
  ["resolved_iff_resolution", "a pending approval with an answer", { ...waiting, resolution: answered.resolution }],
  ["resolved_iff_resolution", "a pending approval with a time of answer", { ...waiting, resolved_at: "now()" }],
  ["resolution_whole", "an answer without a role", saying({ kind: "option", optionId: "yes" })],
  [
    "resolution_whole",
    "an answer by an unknown role",
    saying({ kind: "option", optionId: "yes", resolvedBy: "agent" }),
  ],
  ["resolution_whole", "an answer without a kind", saying({ optionId: "yes", resolvedBy: "api" })],
  ["resolution_whole", "an answer of an unknown kind", saying({ kind: "both", optionId: "yes", resolvedBy: "api" })],
  ["resolution_whole", "an option without an ID", saying({ kind: "option", resolvedBy: "owner" })],
  [
    "resolution_whole",
    "an option with words",
    saying({ kind: "option", optionId: "yes", otherText: "no", resolvedBy: "api" }),
  ],
  ["resolution_whole", "a written answer without text", saying({ kind: "other", resolvedBy: "owner" })],
  [
    "resolution_whole",
    "a written answer with an option",
    saying({ kind: "other", otherText: "no", optionId: "yes", resolvedBy: "owner" }),
  ],
  ["resolution_whole", "a string", saying("yes")],
  ["resolution_whole", "JSON's null", saying([null])],
  ["default_has_deadline", "a default without a deadline", { ...waiting, default_option_id: "'yes'" }],
  [
    "default_has_deadline",
    "a resolved approval whose default has no deadline",
    { ...answered, default_option_id: "'yes'" },
  ],
  [
    "owner_only_means_owner",
    "a default if only the owner may answer",
    { ...waiting, owner_only: "true", default_option_id: "'yes'", expires_at: later },
  ],
  [
    "owner_only_means_owner",
    "an app's answer if only the owner may answer",
    { ...saying({ kind: "option", optionId: "yes", resolvedBy: "api" }), owner_only: "true" },
  ],
  ["risk_known", "an unknown risk", { ...waiting, risk: "'severe'" }],
  ["match_is_high_risk", "a number without a risk", { ...waiting, match }],
  ["match_is_high_risk", "a number with a normal risk", { ...waiting, match, risk: "'normal'" }],
  [
    "match_is_high_risk",
    "a number with a default",
    { ...waiting, match, risk: "'high'", default_option_id: "'yes'", expires_at: later },
  ],
  ["signing_known", "an unknown signature requirement", { ...waiting, signed_by_owner: "'always'" }],
  ["signed_means_owner", "a required signature for an app's answer", { ...waiting, signed_by_owner: "'required'" }],
  [
    "signed_means_owner",
    "a default if the owner signs when possible",
    { ...waiting, signed_by_owner: "'when-possible'", default_option_id: "'yes'", expires_at: later },
  ],
  [
    "required_means_signed",
    "an unsigned answer if a signature is required",
    { ...answered, signed_by_owner: "'required'", owner_only: "true" },
  ],
  ["match_means_picked", "an answer without a number", { ...answered, match, risk: "'high'" }],
  ["match_means_picked", "an answer after a wrong number", { ...answered, match, risk: "'high'", picked: "'12'" }],
  [
    "match_means_picked",
    "an app's answer to a question with a number",
    { ...saying({ kind: "option", optionId: "yes", resolvedBy: "api" }), match, risk: "'high'", picked: "'47'" },
  ],
])("enforces the rule %s against %s", async (rule, _, row) => {
  await expect(insert(row)).rejects.toMatchObject({ code: "23514", table: "approval", constraint: rule });
  // Tests the same rule with an UPDATE of a valid row.
  const { rows } = await insert(waiting);
  const set = Object.entries(row).map(([column, value]) => `${column} = ${value}`);
  const update = `SET session_replication_role = replica; UPDATE approval SET ${set} WHERE id = '${rows[0].id}'`;
  const client = await pool().connect();
  await expect(client.query(update)).rejects.toMatchObject({ code: "23514", constraint: rule });
  client.release(true);
});

test.each<[what: string, row: Record<string, string>]>([
  ["a pending approval", waiting],
  ["a pending approval with a risk", { ...waiting, risk: "'high'" }],
  ["a pending approval that only the owner may answer", { ...waiting, owner_only: "true" }],
  ["a default with a deadline", { ...waiting, default_option_id: "'yes'", expires_at: later }],
  ["an answer with an option", answered],
  ["a written answer", saying({ kind: "other", otherText: "no", resolvedBy: "owner" })],
  ["an app's answer", saying({ kind: "option", optionId: "yes", resolvedBy: "api" })],
  ["a pending approval with a number", { ...waiting, match, risk: "'high'", picked: "'12'" }],
  ["an answer after the right number", { ...answered, match, risk: "'high'", picked: "'47'" }],
  ["a simulated answer without a number", { ...answered, match, risk: "'high'", simulated: "true" }],
  ["the owner's answer to an owner-only approval", { ...answered, owner_only: "true" }],
  ["an unsigned answer if a signature is possible", { ...answered, signed_by_owner: "'when-possible'" }],
  [
    "a signed answer",
    {
      ...saying({ kind: "option", optionId: "yes", resolvedBy: "owner", signature: {} }),
      signed_by_owner: "'required'",
      owner_only: "true",
    },
  ],
])("accepts a row for %s", async (_, row) => {
  expect((await insert(row)).rowCount).toBe(1);
});

test("validates every row with a single CHECK constraint", async () => {
  const { rows } = await pool().query<{ name: string; valid: boolean }>(
    "SELECT conname AS name, convalidated AS valid FROM pg_constraint WHERE conrelid = 'approval'::regclass AND contype = 'c'",
  );
  expect(rows).toEqual([{ name: "approval_rules", valid: true }]);
});

test("defines only AFTER triggers on the approval table", async () => {
  const { rows } = await pool().query<{ name: string; before: boolean }>(
    "SELECT tgname AS name, tgtype & 2 > 0 AS before FROM pg_trigger WHERE tgrelid = 'approval'::regclass AND NOT tgisinternal ORDER BY 1",
  );
  expect(rows).toEqual([
    { name: "approval_content_is_immutable", before: false },
    { name: "approval_resolves_once", before: false },
  ]);
});

test("enforces the row constraints with an empty search_path", async () => {
  const client = await pool().connect();
  const row = `INSERT INTO public.approval (id, owner_id, app_id, question, options, risk) VALUES ('${newId("apr")}', 'own', 'app', '?', '[]',`;
  await client.query("BEGIN; SET LOCAL search_path = ''");
  expect((await client.query(`${row} 'high')`)).rowCount).toBe(1);
  await expect(client.query(`${row} 'severe')`)).rejects.toMatchObject({ constraint: "risk_known" });
  client.release(true);
});
