-- additive
SET lock_timeout = '500ms';

-- Whether the owner's passkey must sign every answer.
ALTER TABLE "owner_settings" ADD COLUMN "sign_answers" boolean NOT NULL DEFAULT false;
