-- additive
SET lock_timeout = '500ms';

-- The beginning of the earliest freeze that covers the grant; NULL if none does. A request reads the grant's row anyway.
ALTER TABLE "app_grant" ADD COLUMN "frozen_at" timestamptz(3);
CREATE INDEX "app_grant_frozen" ON "app_grant" ("owner_id") WHERE "frozen_at" IS NOT NULL;

-- A grant that is created during a freeze is frozen. The share lock waits for a freeze that is being written.
CREATE FUNCTION "freeze_new_grant"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "owner" o WHERE o."id" = NEW."owner_id" FOR SHARE;
  NEW."frozen_at" := (SELECT min(f."began_at") FROM "app_freeze" f
    WHERE f."owner_id" = NEW."owner_id" AND f."app_id" IN ('', NEW."app_id"));
  RETURN NEW;
END $$;
CREATE TRIGGER "app_grant_of_frozen" BEFORE INSERT ON "app_grant" FOR EACH ROW EXECUTE FUNCTION "freeze_new_grant"();

CREATE OR REPLACE VIEW "live_grant" AS
SELECT g."id", g."owner_id", g."app_id", g."created_at", g."expires_at", g."frozen_at"
FROM "app_grant" g WHERE g."revoked_at" IS NULL AND (g."expires_at" IS NULL OR g."expires_at" > now());

-- As before, with "frozen". A frozen token has no scopes, so an instance of the previous version rejects its requests too.
CREATE OR REPLACE VIEW "live_token" AS
SELECT t."hash", t."resource", t."grant_id", g."owner_id", g."app_id", t."created_at",
  least(t."expires_at", g."expires_at") AS "expires_at",
  CASE WHEN g."frozen_at" IS NULL THEN ARRAY(
    SELECT s."scope" FROM "grant_scope" s WHERE s."grant_id" = t."grant_id" AND s."scope" = ANY (t."scopes")
      AND s."granted_at" <= t."created_at") ELSE '{}' END AS "scopes",
  g."frozen_at" IS NOT NULL AS "frozen"
FROM "token" t JOIN "live_grant" g ON g."id" = t."grant_id"
WHERE t."revoked_at" IS NULL AND t."expires_at" > now()
  AND EXISTS (SELECT FROM "app" WHERE "app"."id" = g."app_id" AND "app"."deleted_at" IS NULL OFFSET 0);
