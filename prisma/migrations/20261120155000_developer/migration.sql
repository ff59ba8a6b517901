-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

ALTER TABLE "app"
  -- What it says it will ask for, each with why and whether it works without.
  ADD COLUMN "declared_scopes" jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN "secret_used_at" timestamptz(3),
  -- The secret that a new one took the place of, while both are good.
  ADD COLUMN "old_secret_hash" bytea,
  ADD COLUMN "old_secret_last4" text,
  ADD COLUMN "old_secret_until" timestamptz(3),
  ADD COLUMN "old_secret_used_at" timestamptz(3),
  ADD CONSTRAINT "app_old_secret_whole" CHECK (
    ("old_secret_hash" IS NULL) = ("old_secret_until" IS NULL)
    AND ("old_secret_hash" IS NULL) = ("old_secret_last4" IS NULL)
  ),
  -- Answering for the owner is theirs to give or not, whatever an app says of itself.
  ADD CONSTRAINT "app_resolve_is_never_required" CHECK (
    NOT coalesce("declared_scopes" @> '{"approvals:resolve": {"required": true}}', false)
  );

-- The service's own app, one for each owner, that tries things out. (A deleted app may outlive the owner who registered it.)
ALTER TABLE "app"
  DROP CONSTRAINT "app_kind_check",
  DROP CONSTRAINT "app_kind_whole",
  ADD CONSTRAINT "app_kind_check" CHECK ("kind" IN ('manual', 'dynamic', 'metadata', 'test')),
  ADD CONSTRAINT "app_kind_whole" CHECK (
    ("kind" IN ('manual', 'test') OR "owner_id" IS NULL)
    AND ("kind" NOT IN ('manual', 'test') OR "owner_id" IS NOT NULL OR "deleted_at" IS NOT NULL)
    AND ("kind" = 'dynamic') = ("registration_token_hash" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_url" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_fresh_until" IS NOT NULL)
    AND ("kind" = 'metadata') = ("metadata_good_until" IS NOT NULL)
    AND ("kind" NOT IN ('metadata', 'test') OR "secret_hash" IS NULL)
  );
CREATE UNIQUE INDEX "app_one_test" ON "app" ("owner_id") WHERE "kind" = 'test';

ALTER TABLE "token" ADD COLUMN "last_used_at" timestamptz(3);

-- What apps asked of the API, for a week. No foreign keys, as with approvals: rows come many at a time.
CREATE TABLE "api_request" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL,
  "app_id" text COLLATE "C" NOT NULL,
  "method" text NOT NULL,
  "path" text NOT NULL,
  "status" integer NOT NULL,
  "ms" integer NOT NULL,
  "warnings" text[] NOT NULL DEFAULT '{}',
  "more" integer NOT NULL DEFAULT 0,
  "created_at" timestamptz(3) NOT NULL
);
CREATE INDEX "api_request_owner_id_created_at_id_idx" ON "api_request" ("owner_id", "created_at", "id");
CREATE INDEX "api_request_created_at_idx" ON "api_request" ("created_at");

-- What makes an app look strange to its owner: few rows among many.
CREATE INDEX "event_trouble" ON "event" ("owner_id", "created_at")
  WHERE "type" IN ('app.refused', 'token.reused', 'code.reused');
