-- additive
SET lock_timeout = '500ms';

-- The grant is in its owner's database. The service stores a grant's ID only after the grant exists.
ALTER TABLE "device_code" DROP CONSTRAINT "device_code_grant_id_fkey";
