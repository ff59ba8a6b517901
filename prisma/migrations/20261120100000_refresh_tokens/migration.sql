SET lock_timeout = '2s';

CREATE TABLE "refresh_token" (
  "hash" bytea PRIMARY KEY,
  "grant_id" text COLLATE "C" NOT NULL REFERENCES "app_grant" ("id"),
  "family_id" text COLLATE "C" NOT NULL,
  "scopes" text[] NOT NULL,
  "resource" text NOT NULL DEFAULT 'api' CHECK ("resource" IN ('api', 'mcp')),
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "expires_at" timestamptz(3) NOT NULL,
  "ends_at" timestamptz(3) NOT NULL,
  "rotated_at" timestamptz(3),
  "revoked_at" timestamptz(3)
);
CREATE INDEX "refresh_token_grant_id_idx" ON "refresh_token" ("grant_id");
CREATE INDEX "refresh_token_family_id_idx" ON "refresh_token" ("family_id");
CREATE INDEX "refresh_token_expires_at_idx" ON "refresh_token" ("expires_at");

CREATE TABLE "pushed_request" (
  "hash" bytea PRIMARY KEY,
  "app_id" text COLLATE "C" NOT NULL REFERENCES "app" ("id"),
  "parameters" text NOT NULL,
  "expires_at" timestamptz(3) NOT NULL,
  "used_at" timestamptz(3)
);
CREATE INDEX "pushed_request_expires_at_idx" ON "pushed_request" ("expires_at");
