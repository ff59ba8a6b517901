-- additive
SET lock_timeout = '500ms';

-- "synced": whether the passkey can be synced to other devices; NULL until its next use if it was created before.
ALTER TABLE "passkey" ADD COLUMN "synced" boolean;

-- The public keys of removed passkeys, so that the answers that they signed stay verifiable.
CREATE TABLE "removed_passkey" (
  "id" text COLLATE "C" NOT NULL,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "public_key" bytea NOT NULL,
  "synced" boolean,
  "since" timestamptz(3) NOT NULL,
  "until" timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY ("owner_id", "id", "since")
);
CREATE TRIGGER "removed_passkey_is_final"
  BEFORE UPDATE ON "removed_passkey" FOR EACH ROW EXECUTE FUNCTION "refuse_change"('a removed passkey never changes');

-- As before, with "answer". NOT VALID reads no rows: the old purposes are still allowed.
ALTER TABLE "passkey_challenge"
  DROP CONSTRAINT "passkey_challenge_purpose_check",
  ADD CONSTRAINT "passkey_challenge_purpose_check" CHECK ("purpose" IN ('register', 'sign_in', 'answer')) NOT VALID;
