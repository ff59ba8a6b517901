-- additive
SET lock_timeout = '500ms';

ALTER TABLE "consent_request" DROP CONSTRAINT "consent_request_owner_id_fkey";
CREATE TRIGGER "consent_request_requires_owner" AFTER INSERT OR UPDATE OF "owner_id" ON "consent_request"
  FOR EACH ROW WHEN (NEW."owner_id" IS NOT NULL) EXECUTE FUNCTION "require_owner"();
