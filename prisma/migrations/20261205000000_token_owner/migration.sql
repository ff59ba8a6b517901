-- additive
SET lock_timeout = '500ms';

-- The owner of the token's grant. Existing rows have '' until 20261205000400 fills them. The default for them is stored once, so that
-- no row is rewritten or read under this lock.
ALTER TABLE "token" ADD COLUMN "owner_id" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "token" ALTER COLUMN "owner_id" DROP DEFAULT;

-- For instances of the previous version, which insert rows without "owner_id". A later version drops the function and its triggers.
CREATE FUNCTION "set_owner_from_grant"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."owner_id" := (SELECT g."owner_id" FROM "app_grant" g WHERE g."id" = NEW."grant_id");
  RETURN NEW;
END $$;
CREATE TRIGGER "token_of_owner" BEFORE INSERT ON "token"
  FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "set_owner_from_grant"();
