import { expect, test } from "vitest";
import { isReadOfCopies } from "./directory-copies";

test.each([
  "SELECT name FROM app WHERE id = $1",
  "app.findFirst (Prisma)",
  "webhookEndpoint.count (Prisma)",
  "SELECT ep.id FROM webhook_endpoint ep JOIN webhook_secret s ON s.endpoint_id = ep.id",
  "SELECT wrapped FROM data_key",
  "SELECT $1::timestamptz > now() AS lives",
])("reads a copy while the directory is away: %s", (text) => expect(isReadOfCopies(text)).toBe(true));

test.each([
  "SELECT name FROM app WHERE id = $1 FOR SHARE",
  "SELECT name FROM app WHERE id = $1 FOR NO KEY UPDATE",
  "UPDATE app SET name = $1",
  "WITH gone AS (DELETE FROM app RETURNING id) SELECT id FROM gone",
  "app.updateMany (Prisma)",
  "consentRequest.findFirst (Prisma)",
  "SELECT owner_id FROM email_route WHERE email = $1",
  "SELECT shard FROM home_placement",
  "SELECT count FROM throttle",
  "SELECT a.id FROM approval a JOIN app ON app.id = a.app_id",
])("never reads a copy: %s", (text) => expect(isReadOfCopies(text)).toBe(false));
