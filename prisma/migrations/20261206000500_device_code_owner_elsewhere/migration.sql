-- additive
SET lock_timeout = '500ms';

ALTER TABLE "device_code" DROP CONSTRAINT "device_code_owner_id_fkey";
CREATE TRIGGER "device_code_requires_owner" AFTER INSERT OR UPDATE OF "owner_id" ON "device_code"
  FOR EACH ROW WHEN (NEW."owner_id" IS NOT NULL) EXECUTE FUNCTION "require_owner"();
