import type { ClientBase } from "pg";
import { beforeAll, expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { conjuncts, type PlanStep, scansAcrossOwners, type TableKeys } from "./scans-across-owners";
import { readTableKeys } from "./table-keys";

let tables: Map<string, TableKeys>;
beforeAll(async () => {
  tables = await readTableKeys(pool() as unknown as ClientBase);
});

async function across(text: string): Promise<string[]> {
  const { rows } = await pool().query(`EXPLAIN (FORMAT JSON, VERBOSE) ${text}`);
  return scansAcrossOwners(rows[0]["QUERY PLAN"][0].Plan as PlanStep, tables);
}

test.each([
  "SELECT FROM approval WHERE owner_id = 'own_1'",
  "SELECT FROM approval WHERE id = 'apr_1' AND status = 'pending'",
  "UPDATE approval_triage SET clarification_asked_at = NULL WHERE approval_id = (SELECT id FROM approval WHERE id = 'apr_1')",
  "SELECT FROM approval a JOIN approval_triage d ON d.approval_id = a.id WHERE a.owner_id = 'own_1'",
  "SELECT FROM approval a LEFT JOIN approval_triage d ON d.approval_id = a.id WHERE a.owner_id = 'own_1'",
  "SELECT FROM live_token t JOIN approval a ON a.owner_id = t.owner_id WHERE t.hash = '\\x00'",
  "SELECT FROM unnest('{a,b}'::text[]) AS asked(id) JOIN approval a ON a.id = asked.id",
  "DELETE FROM event_removed WHERE ctid = ANY (ARRAY(SELECT ctid FROM event_removed WHERE owner_id = 'a' LIMIT 9))",
  "SELECT FROM token t JOIN app_grant g ON g.id = t.grant_id JOIN app ON app.id = g.app_id WHERE t.hash = '\\x00'",
  "SELECT EXISTS (SELECT FROM approval_triage d WHERE d.approval_id = a.id) FROM approval a WHERE a.owner_id = 'own_1'",
  "SELECT FROM event WHERE owner_id = 'own_1' AND id > 5",
  "SELECT FROM token WHERE grant_id IN (SELECT id FROM app_grant WHERE owner_id = 'own_1' OFFSET 0)",
  "SELECT FROM app",
  "INSERT INTO event_removed (owner_id, whose) VALUES ('own_1', 'x')",
])("accepts a statement for one owner: %s", async (text) => {
  expect(await across(text)).toEqual([]);
});

test.each<[table: string, text: string]>([
  ["approval", "SELECT FROM approval WHERE status = 'pending'"],
  ["approval", "SELECT FROM approval WHERE app_id = 'app_1'"],
  ["approval", "SELECT FROM approval WHERE owner_id = 'own_1' OR id = 'apr_1'"],
  ["approval", "SELECT FROM approval WHERE id = ANY ('{apr_1,apr_2}')"],
  ["approval", "SELECT FROM approval WHERE id > 'own_1' AND question = 'owner_id = 1'"],
  ["approval", "SELECT FROM approval a WHERE a.owner_id = a.app_id"],
  ["owner", "SELECT FROM app a JOIN owner o ON o.id = a.owner_id"],
  [
    "app_grant",
    "SELECT FROM app_grant g WHERE EXISTS (SELECT FROM token t WHERE t.grant_id = g.id AND t.hash = '\\x00') IS NULL",
  ],
  ["app_grant", "SELECT FROM app_grant g LEFT JOIN token t ON t.grant_id = g.id AND t.hash = '\\x00'"],
  ["app_grant", "SELECT EXISTS (SELECT FROM token t WHERE t.grant_id = g.id AND t.hash = '\\x00') FROM app_grant g"],
  ["app_grant", "SELECT FROM token WHERE grant_id IN (SELECT id FROM app_grant OFFSET 0)"],
  ["token", "SELECT FROM token WHERE grant_id IN (SELECT id FROM app_grant OFFSET 0)"],
  ["event", "SELECT FROM event WHERE id > 5"],
  ["approval_triage", "DELETE FROM approval_triage WHERE ctid = ANY (ARRAY(SELECT ctid FROM approval_triage LIMIT 9))"],
  ["approval", "SELECT FROM approval a LEFT JOIN approval_triage d ON d.approval_id = a.id AND a.owner_id = 'own_1'"],
])("finds that a statement reads %s of any owner: %s", async (table, text) => {
  expect(await across(text)).toContain(table);
});

test("splits a condition only at its outermost ANDs", () => {
  const condition = "((a.x = 1) AND ((a.y = 2) OR (a.z = 3)) AND (a.t = ' AND ('::text) AND (a.u = 'it''s)'::text))";
  const parts = ["a.x = 1", "(a.y = 2) OR (a.z = 3)", "a.t = ' AND ('::text", "a.u = 'it''s)'::text"];
  expect(conjuncts(condition)).toEqual(parts);
});
