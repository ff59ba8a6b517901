-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- A token that works, with what it may do now: of its own scopes those that its grant has had ever since it was issued. One that
-- was taken back and given anew is none of them. Times are the database's, so a copy with a wrong clock decides the same.
CREATE VIEW "live_token" AS
SELECT t."hash", t."resource", t."grant_id", g."owner_id", g."app_id", t."created_at",
  least(t."expires_at", g."expires_at") AS "expires_at",
  ARRAY(SELECT s."scope" FROM "grant_scope" s WHERE s."grant_id" = t."grant_id" AND s."scope" = ANY (t."scopes")
    AND s."granted_at" <= t."created_at") AS "scopes"
FROM "token" t JOIN "live_grant" g ON g."id" = t."grant_id" JOIN "app" ON "app"."id" = g."app_id"
WHERE t."revoked_at" IS NULL AND t."expires_at" > now() AND "app"."deleted_at" IS NULL;

-- A linked account that an app may see now.
CREATE VIEW "shared_account" AS
SELECT g."id" AS "grant_id", g."owner_id", g."app_id", s."integration_id"
FROM "grant_integration" s JOIN "live_grant" g ON g."id" = s."grant_id";

-- An app that its owner lets in now, with its name and the linked accounts that it may see.
CREATE VIEW "connected_app" AS
SELECT g."owner_id", g."app_id", "app"."name",
  ARRAY(SELECT s."integration_id" FROM "grant_integration" s WHERE s."grant_id" = g."id") AS "integration_ids"
FROM "live_grant" g JOIN "app" ON "app"."id" = g."app_id" WHERE "app"."deleted_at" IS NULL;
