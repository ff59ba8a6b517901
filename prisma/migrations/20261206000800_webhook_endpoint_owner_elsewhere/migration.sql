-- additive
SET lock_timeout = '500ms';

ALTER TABLE "webhook_endpoint" DROP CONSTRAINT "webhook_endpoint_owner_id_fkey";
CREATE TRIGGER "webhook_endpoint_requires_owner" AFTER INSERT OR UPDATE OF "owner_id" ON "webhook_endpoint"
  FOR EACH ROW WHEN (NEW."owner_id" IS NOT NULL) EXECUTE FUNCTION "require_owner"();
