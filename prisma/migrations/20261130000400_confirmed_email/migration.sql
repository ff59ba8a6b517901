-- additive
SET lock_timeout = '500ms';

-- The address that an owner confirmed last. Nothing is mailed to an account whose address is another one. Compared rather than
-- a flag: the version before changes an address without knowing of this column, and the new address then counts as unconfirmed.
ALTER TABLE "owner" ADD COLUMN "confirmed_email" text;
-- Addresses that are in use stay in use.
UPDATE "owner" SET "confirmed_email" = "email";

-- Of a link that confirms an address instead of signing somebody in: that address.
ALTER TABLE "sign_in_link" ADD COLUMN "email" text;
