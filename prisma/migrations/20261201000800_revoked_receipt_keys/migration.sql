-- additive
SET lock_timeout = '500ms';

-- The operator revoked the key at "revoked_at", because others may have had it since "revoked_since".
ALTER TABLE "receipt_key"
  ADD COLUMN "revoked_at" timestamptz(3),
  ADD COLUMN "revoked_since" timestamptz(3),
  ADD CONSTRAINT "revoked_is_retired" CHECK (
    ("revoked_at" IS NULL) = ("revoked_since" IS NULL)
    AND ("revoked_at" IS NULL OR "retired_at" IS NOT NULL)
  );
