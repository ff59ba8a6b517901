-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- An owner who goes leaves behind the deleted apps that other owners had let in: their history still says who asked. So
-- what was registered by hand needs somebody who answers for it only while it lives.
ALTER TABLE "app"
  DROP CONSTRAINT "app_kind_whole",
  ADD CONSTRAINT "app_kind_whole" CHECK (
    ("kind" = 'manual' OR "owner_id" IS NULL)
    AND ("kind" <> 'manual' OR "owner_id" IS NOT NULL OR "deleted_at" IS NOT NULL)
    AND ("kind" = 'dynamic') = ("registration_token_hash" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_url" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_fresh_until" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_good_until" IS NOT NULL)
    AND ("kind" <> 'metadata' OR "secret_hash" IS NULL)
  );
