-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

CREATE TABLE "owner" (
  "id" text COLLATE "C" PRIMARY KEY,
  "email" text NOT NULL UNIQUE CHECK ("email" = lower("email")),
  "name" text NOT NULL,
  "password_hash" text NOT NULL,
  "session_version" integer NOT NULL DEFAULT 1,
  "first" boolean UNIQUE CHECK ("first"),
  "created_at" timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE "app" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "name" text NOT NULL,
  "name_skeleton" text NOT NULL,
  "redirect_uris" text[] NOT NULL DEFAULT '{}',
  "secret_hash" bytea,
  "secret_last4" text,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "deleted_at" timestamptz(3)
);
CREATE INDEX "app_owner_id_idx" ON "app" ("owner_id");
CREATE UNIQUE INDEX "app_name_skeleton_live" ON "app" ("name_skeleton") WHERE "deleted_at" IS NULL;

CREATE TABLE "app_grant" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "app_id" text COLLATE "C" NOT NULL REFERENCES "app" ("id"),
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "expires_at" timestamptz(3),
  "last_used_at" timestamptz(3),
  "revoked_at" timestamptz(3)
);
-- One live grant per owner and app.
CREATE UNIQUE INDEX "app_grant_live" ON "app_grant" ("owner_id", "app_id") WHERE "revoked_at" IS NULL;
CREATE INDEX "app_grant_app_id_idx" ON "app_grant" ("app_id");

CREATE TABLE "grant_scope" (
  "grant_id" text COLLATE "C" NOT NULL REFERENCES "app_grant" ("id"),
  "scope" text COLLATE "C" NOT NULL,
  "granted_at" timestamptz(3) NOT NULL DEFAULT now(),
  "last_used_at" timestamptz(3),
  PRIMARY KEY ("grant_id", "scope")
);

CREATE TABLE "token" (
  "id" text COLLATE "C" PRIMARY KEY,
  "hash" bytea NOT NULL UNIQUE,
  "kind" text NOT NULL CHECK ("kind" IN ('access', 'personal')),
  "grant_id" text COLLATE "C" NOT NULL REFERENCES "app_grant" ("id"),
  "family_id" text COLLATE "C" NOT NULL,
  "scopes" text[] NOT NULL,
  "resource" text NOT NULL DEFAULT 'api' CHECK ("resource" IN ('api', 'mcp')),
  "name" text,
  "last4" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "expires_at" timestamptz(3) NOT NULL,
  "revoked_at" timestamptz(3)
);
CREATE INDEX "token_grant_id_idx" ON "token" ("grant_id");
CREATE INDEX "token_family_id_idx" ON "token" ("family_id");

CREATE TABLE "consent_request" (
  "id" text COLLATE "C" PRIMARY KEY,
  "app_id" text COLLATE "C" NOT NULL REFERENCES "app" ("id"),
  "owner_id" text COLLATE "C" REFERENCES "owner" ("id"),
  "redirect_uri" text NOT NULL,
  "scopes" text[] NOT NULL,
  "state" text,
  "code_challenge" text NOT NULL,
  "resource" text NOT NULL DEFAULT 'api' CHECK ("resource" IN ('api', 'mcp')),
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "expires_at" timestamptz(3) NOT NULL,
  "decided_at" timestamptz(3)
);
CREATE INDEX "consent_request_expires_at_idx" ON "consent_request" ("expires_at");

CREATE TABLE "authorization_code" (
  "hash" bytea PRIMARY KEY,
  "app_id" text COLLATE "C" NOT NULL REFERENCES "app" ("id"),
  "grant_id" text COLLATE "C" NOT NULL REFERENCES "app_grant" ("id"),
  "family_id" text COLLATE "C" NOT NULL,
  "redirect_uri" text NOT NULL,
  "code_challenge" text NOT NULL,
  "scopes" text[] NOT NULL,
  "resource" text NOT NULL DEFAULT 'api' CHECK ("resource" IN ('api', 'mcp')),
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "expires_at" timestamptz(3) NOT NULL,
  "used_at" timestamptz(3)
);
CREATE INDEX "authorization_code_expires_at_idx" ON "authorization_code" ("expires_at");
CREATE INDEX "authorization_code_grant_id_idx" ON "authorization_code" ("grant_id");

-- What was asked, as the API tells it, without its end: text that every reply passes through as it is. It depends on nothing
-- but its arguments (the epoch of a time is the same in every time zone), hence IMMUTABLE.
CREATE FUNCTION "approval_wire"(
  "id" text, "created_at" timestamptz, "app_id" text, "question" text, "options" json, "background_context" text, "recommendation" text
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN '{"_id":"' || "id" || '","_creationTime":' || (date_part('epoch', "created_at") * 1000)::bigint
    || ',"clientId":"' || "app_id" || '","question":' || to_json("question") || ',"options":' || "options"
    || coalesce(',"backgroundContext":' || to_json("background_context"), '')
    || coalesce(',"recommendation":' || to_json("recommendation"), '');
END $$;

-- No foreign keys to owner and app here and on "notification": the statement that inserts reads both from a live grant, and
-- locking those two rows for every insert would make all requests of one app queue for each other.
CREATE TABLE "approval" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL,
  "app_id" text COLLATE "C" NOT NULL,
  "question" text NOT NULL,
  -- json, not jsonb: what the app sent comes back with its keys in the order it sent them.
  "options" json NOT NULL,
  "background_context" text,
  "recommendation" text,
  "status" text NOT NULL DEFAULT 'pending' CHECK ("status" IN ('pending', 'resolved')),
  "resolution" json,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "resolved_at" timestamptz(3),
  "wire" text NOT NULL GENERATED ALWAYS AS (
    "approval_wire"("id", "created_at", "app_id", "question", "options", "background_context", "recommendation")
  ) STORED,
  CONSTRAINT "resolved_iff_resolution" CHECK (
    ("status" = 'resolved') = ("resolution" IS NOT NULL) AND ("status" = 'resolved') = ("resolved_at" IS NOT NULL)
  ),
  CONSTRAINT "resolution_whole" CHECK (
    "resolution" IS NULL OR (
      coalesce("resolution" ->> 'resolvedBy', '') IN ('owner', 'api')
      AND coalesce("resolution" ->> 'kind', '') IN ('option', 'other')
      AND ("resolution" ->> 'kind' = 'option') = ("resolution" ->> 'optionId' IS NOT NULL)
      AND ("resolution" ->> 'kind' = 'other') = ("resolution" ->> 'otherText' IS NOT NULL)
    )
  )
);
-- An app's own list, newest first: whole, waiting, answered. The waiting one also serves the owner's inbox and the pending cap.
CREATE INDEX "approval_list" ON "approval" ("owner_id", "app_id", "created_at" DESC, "id" DESC);
CREATE INDEX "approval_pending" ON "approval" ("owner_id", "app_id", "created_at" DESC, "id" DESC) WHERE "status" = 'pending';
CREATE INDEX "approval_resolved" ON "approval" ("owner_id", "app_id", "created_at" DESC, "id" DESC) WHERE "status" = 'resolved';
-- The owner's answered history, latest answer first.
CREATE INDEX "approval_answered" ON "approval" ("owner_id", "resolved_at" DESC, "id" DESC) WHERE "status" = 'resolved';

CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is not allowed: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "approval_content_is_immutable"
  BEFORE UPDATE OF "id", "owner_id", "app_id", "question", "options", "background_context", "recommendation", "created_at" ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was asked never changes');
CREATE TRIGGER "approval_resolves_once"
  BEFORE UPDATE ON "approval"
  FOR EACH ROW WHEN (OLD."status" = 'resolved') EXECUTE FUNCTION "refuse_change"('an approval resolves exactly once');

CREATE TABLE "notification" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL,
  "app_id" text COLLATE "C" NOT NULL,
  "title" text NOT NULL,
  "body" text NOT NULL DEFAULT '',
  "type" text NOT NULL DEFAULT 'general',
  "data" json NOT NULL DEFAULT '{}',
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "read_at" timestamptz(3)
);
CREATE INDEX "notification_list" ON "notification" ("owner_id", "app_id", "created_at" DESC, "id" DESC);
CREATE INDEX "notification_by_type" ON "notification" ("owner_id", "app_id", "type", "created_at" DESC, "id" DESC);
CREATE INDEX "notification_feed" ON "notification" ("owner_id", "created_at" DESC, "id" DESC);
CREATE INDEX "notification_unread" ON "notification" ("owner_id", "created_at" DESC, "id" DESC) WHERE "read_at" IS NULL;

CREATE TABLE "integration" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "provider" text NOT NULL,
  "issuer" text NOT NULL,
  "subject" text NOT NULL,
  "email" text NOT NULL,
  "label" text,
  "status" text NOT NULL DEFAULT 'connected' CHECK ("status" IN ('connected', 'needs_reauth', 'error', 'disconnected')),
  "status_reason" text,
  "buckets" text[] NOT NULL DEFAULT '{identity}' CHECK ("buckets" <@ ARRAY['identity', 'mail', 'calendar', 'contacts', 'files', 'tasks']),
  "scopes" text[] NOT NULL DEFAULT '{}',
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "checked_at" timestamptz(3),
  "disconnected_at" timestamptz(3)
);
CREATE UNIQUE INDEX "integration_owner_id_provider_issuer_subject_key" ON "integration" ("owner_id", "provider", "issuer", "subject");

CREATE TABLE "grant_integration" (
  "grant_id" text COLLATE "C" NOT NULL REFERENCES "app_grant" ("id"),
  "integration_id" text COLLATE "C" NOT NULL REFERENCES "integration" ("id"),
  PRIMARY KEY ("grant_id", "integration_id")
);
CREATE INDEX "grant_integration_integration_id_idx" ON "grant_integration" ("integration_id");

CREATE TABLE "event" (
  "id" bigserial PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL,
  "app_id" text COLLATE "C",
  "type" text NOT NULL,
  "subject" text COLLATE "C" NOT NULL,
  "data" jsonb NOT NULL DEFAULT '{}',
  "created_at" timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX "event_owner_id_id_idx" ON "event" ("owner_id", "id");
CREATE TRIGGER "event_is_append_only" BEFORE UPDATE OR DELETE ON "event"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('events are append-only');
CREATE TRIGGER "event_is_never_emptied" BEFORE TRUNCATE ON "event"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('events are append-only');

CREATE TABLE "idempotency" (
  "owner_id" text COLLATE "C" NOT NULL,
  "app_id" text COLLATE "C" NOT NULL,
  "operation" text COLLATE "C" NOT NULL,
  "key" text COLLATE "C" NOT NULL,
  "request_hash" bytea NOT NULL,
  "status" integer NOT NULL,
  "reply" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY ("owner_id", "app_id", "operation", "key")
);
CREATE INDEX "idempotency_created_at_idx" ON "idempotency" ("created_at");

CREATE TABLE "throttle" (
  "key" text COLLATE "C" PRIMARY KEY,
  "failures" integer NOT NULL,
  "expires_at" timestamptz(3) NOT NULL
);
CREATE INDEX "throttle_expires_at_idx" ON "throttle" ("expires_at");
