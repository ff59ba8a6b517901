-- additive
SET lock_timeout = '500ms';

-- The owner of the grant, as in "token".
ALTER TABLE "grant_scope" ADD COLUMN "owner_id" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "grant_scope" ALTER COLUMN "owner_id" DROP DEFAULT;
CREATE TRIGGER "grant_scope_of_owner" BEFORE INSERT ON "grant_scope"
  FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "set_owner_from_grant"();
