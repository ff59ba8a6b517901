-- additive
SET lock_timeout = '500ms';

-- The same view, which also compares the scopes' owner. The join with the grant does not name the owner: the planner would then find
-- the grant among all grants of its owner instead of by its key.
CREATE OR REPLACE VIEW "live_token" AS
SELECT t."hash", t."resource", t."grant_id", g."owner_id", g."app_id", t."created_at",
  least(t."expires_at", g."expires_at") AS "expires_at",
  CASE WHEN g."frozen_at" IS NULL THEN ARRAY(
    SELECT s."scope" FROM "grant_scope" s WHERE s."owner_id" = t."owner_id" AND s."grant_id" = t."grant_id"
      AND s."scope" = ANY (t."scopes") AND s."granted_at" <= t."created_at") ELSE '{}' END AS "scopes",
  g."frozen_at" IS NOT NULL AS "frozen"
FROM "token" t JOIN "live_grant" g ON g."id" = t."grant_id"
WHERE t."revoked_at" IS NULL AND t."expires_at" > now()
  AND EXISTS (SELECT FROM "app" WHERE "app"."id" = g."app_id" AND "app"."deleted_at" IS NULL OFFSET 0);
