-- additive
SET lock_timeout = '500ms';

-- A registered app no longer gets a token that reads its registration. The column stays for the version before, which writes it.
ALTER TABLE "app"
  DROP CONSTRAINT "app_kind_whole",
  ADD CONSTRAINT "app_kind_whole" CHECK (
    ("kind" IN ('manual', 'test') OR "owner_id" IS NULL)
    AND ("kind" NOT IN ('manual', 'test') OR "owner_id" IS NOT NULL OR "deleted_at" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_url" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_fresh_until" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_good_until" IS NOT NULL)
    AND ("kind" NOT IN ('metadata', 'test') OR "secret_hash" IS NULL)
  );
