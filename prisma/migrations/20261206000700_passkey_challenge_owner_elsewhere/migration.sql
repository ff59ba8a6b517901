-- additive
SET lock_timeout = '500ms';

ALTER TABLE "passkey_challenge" DROP CONSTRAINT "passkey_challenge_owner_id_fkey";
CREATE TRIGGER "passkey_challenge_requires_owner" AFTER INSERT OR UPDATE OF "owner_id" ON "passkey_challenge"
  FOR EACH ROW WHEN (NEW."owner_id" IS NOT NULL) EXECUTE FUNCTION "require_owner"();
