-- additive
SET lock_timeout = '500ms';

-- An app's owner can be in another database. Owners in this database are checked as before.
CREATE FUNCTION "require_owner"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "owner" WHERE "id" = NEW."owner_id" FOR KEY SHARE;
  IF NOT FOUND AND NOT "owner_is_elsewhere"(NEW."owner_id") THEN
    RAISE foreign_key_violation USING
      MESSAGE = format('insert or update on table "%s" names an owner that does not exist', TG_TABLE_NAME),
      TABLE = TG_TABLE_NAME, COLUMN = 'owner_id';
  END IF;
  RETURN NULL;
END $$;
ALTER TABLE "app" DROP CONSTRAINT "app_owner_id_fkey";
CREATE TRIGGER "app_requires_owner" AFTER INSERT OR UPDATE OF "owner_id" ON "app"
  FOR EACH ROW WHEN (NEW."owner_id" IS NOT NULL) EXECUTE FUNCTION "require_owner"();
