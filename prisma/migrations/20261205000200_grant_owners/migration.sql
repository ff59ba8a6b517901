-- additive
SET lock_timeout = '500ms';

-- The owner of the grant, as in "token". No app's request to the API uses these tables.
ALTER TABLE "taken_scope" ADD COLUMN "owner_id" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "taken_scope" ALTER COLUMN "owner_id" DROP DEFAULT;
CREATE TRIGGER "taken_scope_of_owner" BEFORE INSERT ON "taken_scope"
  FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "set_owner_from_grant"();

ALTER TABLE "grant_integration" ADD COLUMN "owner_id" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "grant_integration" ALTER COLUMN "owner_id" DROP DEFAULT;
CREATE TRIGGER "grant_integration_of_owner" BEFORE INSERT ON "grant_integration"
  FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "set_owner_from_grant"();

ALTER TABLE "refresh_token" ADD COLUMN "owner_id" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "refresh_token" ALTER COLUMN "owner_id" DROP DEFAULT;
CREATE TRIGGER "refresh_token_of_owner" BEFORE INSERT ON "refresh_token"
  FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "set_owner_from_grant"();

ALTER TABLE "authorization_code" ADD COLUMN "owner_id" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "authorization_code" ALTER COLUMN "owner_id" DROP DEFAULT;
CREATE TRIGGER "authorization_code_of_owner" BEFORE INSERT ON "authorization_code"
  FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "set_owner_from_grant"();
