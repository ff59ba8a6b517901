import { expect, test } from "vitest";
import { isModelOfService, isOfService, tablesIn } from "./service-tables";

test.each<[text: string, tables: string[]]>([
  ["SELECT id FROM app WHERE id = $1", ["app"]],
  ["INSERT INTO app (id) VALUES ($1)", ["app"]],
  ['UPDATE "app" SET name = $1', ["app"]],
  ["DELETE FROM token t USING app_grant g WHERE t.grant_id = g.id", ["token", "app_grant"]],
  ["SELECT 1 FROM app a LEFT JOIN owner o USING (id)", ["app", "owner"]],
  ["WITH caller AS MATERIALIZED (SELECT 1 FROM app) SELECT 1 FROM caller", ["app"]],
  ["SELECT extract(epoch FROM created_at) FROM app FOR NO KEY UPDATE SKIP LOCKED", ["app"]],
  ["INSERT INTO throttle (key) VALUES ($1) ON CONFLICT (key) DO UPDATE SET failures = 1", ["throttle"]],
  ["SELECT 1 FROM app WHERE name IS DISTINCT FROM skeleton -- not FROM owner", ["app"]],
  ["SELECT 1 FROM unnest($1::text[]) AS u(id) JOIN LATERAL (SELECT 1 FROM app) AS a ON true", ["app"]],
  ["SELECT ' FROM owner' FROM app", ["app"]],
  ["SELECT now()", []],
])("finds the tables in %s", (text, tables) => {
  expect(tablesIn(text)).toEqual(tables);
});

test("sends a statement to the directory only if all its tables are the service's", () => {
  expect(isOfService("SELECT 1 FROM app JOIN webhook_endpoint w ON w.app_id = app.id")).toBe(true);
  expect(isOfService("SELECT 1 FROM app JOIN app_grant g ON g.app_id = app.id")).toBe(false);
  expect(isOfService("SELECT now()")).toBe(false);
});

test("knows Prisma's models of the service", () => {
  expect(["app", "deviceCode", "grant", "owner"].map(isModelOfService)).toEqual([true, true, false, false]);
});
