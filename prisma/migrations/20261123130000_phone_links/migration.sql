-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- A link that an owner hands over to their phone is another way to sign in. Every row there is already holds by the old list.
ALTER TABLE "owner_session" DROP CONSTRAINT "owner_session_method_check";
ALTER TABLE "owner_session" ADD CONSTRAINT "owner_session_method_check"
  CHECK ("method" IN ('password', 'passkey', 'recovery_code', 'email_link', 'reset_link', 'phone_link')) NOT VALID;
