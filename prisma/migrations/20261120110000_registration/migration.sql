-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Apps that registered themselves (RFC 7591), and apps known by the document at their address (Client ID Metadata Documents).
ALTER TABLE "app"
  ALTER COLUMN "owner_id" DROP NOT NULL,
  ADD COLUMN "kind" text COLLATE "C" NOT NULL DEFAULT 'manual' CONSTRAINT "app_kind_check" CHECK ("kind" IN ('manual', 'dynamic', 'metadata')),
  ADD COLUMN "grant_types" text[] NOT NULL
    DEFAULT '{authorization_code,refresh_token,urn:ietf:params:oauth:grant-type:device_code}',
  ADD COLUMN "client_metadata" json NOT NULL DEFAULT '{}',
  ADD COLUMN "registration_token_hash" bytea,
  ADD COLUMN "metadata_url" text COLLATE "C",
  ADD COLUMN "metadata_fresh_until" timestamptz(3),
  ADD COLUMN "metadata_good_until" timestamptz(3),
  -- Somebody answers for what was registered by hand; the others answer for themselves, each in its way.
  ADD CONSTRAINT "app_kind_whole" CHECK (
    ("kind" = 'manual') = ("owner_id" IS NOT NULL)
    AND ("kind" = 'dynamic') = ("registration_token_hash" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_url" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_fresh_until" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_good_until" IS NOT NULL)
    AND ("kind" <> 'metadata' OR "secret_hash" IS NULL)
  );
CREATE UNIQUE INDEX "app_metadata_url_key" ON "app" ("metadata_url");

-- Each installation of a program registers anew under the program's name, so only names given by hand are one of a kind.
DROP INDEX "app_name_skeleton_live";
CREATE UNIQUE INDEX "app_name_skeleton_live" ON "app" ("name_skeleton") WHERE "deleted_at" IS NULL AND "kind" = 'manual';
