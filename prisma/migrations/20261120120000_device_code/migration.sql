SET lock_timeout = '2s';

CREATE TABLE "device_code" (
  "id" text COLLATE "C" PRIMARY KEY,
  "hash" bytea NOT NULL UNIQUE,
  "user_code_hash" bytea NOT NULL UNIQUE,
  "app_id" text COLLATE "C" NOT NULL REFERENCES "app" ("id"),
  "owner_id" text COLLATE "C" REFERENCES "owner" ("id"),
  "scopes" text[] NOT NULL,
  "resource" text NOT NULL DEFAULT 'api' CHECK ("resource" IN ('api', 'mcp')),
  "interval_seconds" integer NOT NULL DEFAULT 5 CHECK ("interval_seconds" > 0),
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "expires_at" timestamptz(3) NOT NULL,
  "last_polled_at" timestamptz(3),
  "decided_at" timestamptz(3),
  "grant_id" text COLLATE "C" REFERENCES "app_grant" ("id"),
  "granted" text[] NOT NULL DEFAULT '{}',
  "used_at" timestamptz(3),
  CONSTRAINT "decided_by_somebody" CHECK ("decided_at" IS NULL OR "owner_id" IS NOT NULL),
  CONSTRAINT "allowed_iff_granted" CHECK (("grant_id" IS NOT NULL) = ("granted" <> '{}')),
  CONSTRAINT "allowed_is_decided" CHECK ("grant_id" IS NULL OR "decided_at" IS NOT NULL),
  CONSTRAINT "used_is_allowed" CHECK ("used_at" IS NULL OR "grant_id" IS NOT NULL)
);
CREATE INDEX "device_code_expires_at_idx" ON "device_code" ("expires_at");
CREATE INDEX "device_code_grant_id_idx" ON "device_code" ("grant_id");

-- The owner's activity without what fills it: the four types that apps cause all day have no part in it, so that it costs
-- their requests nothing, and what is rare is found at once.
CREATE INDEX "event_rare" ON "event" ("owner_id", "id" DESC)
  WHERE "type" NOT IN ('approval.submitted', 'approval.resolved', 'notification.pushed', 'notification.read');
