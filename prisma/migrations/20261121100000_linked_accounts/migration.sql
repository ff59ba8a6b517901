-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

ALTER TABLE "integration"
  -- What the owner ticked when they last went to the provider, as kind.verb: what is missing is known by it.
  ADD COLUMN "asked" text[] NOT NULL DEFAULT '{}',
  -- The name that the provider gives the account's holder.
  ADD COLUMN "account_name" text,
  -- When the provider last took what we hold, and when what we hold ends by itself.
  ADD COLUMN "refreshed_at" timestamptz(3),
  ADD COLUMN "token_expires_at" timestamptz(3),
  -- When it is looked at next; NULL when nobody but the owner can do anything.
  ADD COLUMN "check_at" timestamptz(3),
  -- Failures in a row that may pass by themselves, and since when.
  ADD COLUMN "failures" integer NOT NULL DEFAULT 0,
  ADD COLUMN "failing_since" timestamptz(3),
  -- One of all running copies looks at it at a time.
  ADD COLUMN "lease" text,
  ADD COLUMN "lease_until" timestamptz(3),
  -- Removed, and to be erased then; until then it may be taken back to what it was.
  ADD COLUMN "erase_at" timestamptz(3),
  ADD COLUMN "status_before" text,
  ADD CONSTRAINT "integration_removed_whole" CHECK (("status" = 'disconnected') = ("disconnected_at" IS NOT NULL)),
  ADD CONSTRAINT "integration_lease_whole" CHECK (("lease" IS NULL) = ("lease_until" IS NULL));
CREATE INDEX "integration_check_at" ON "integration" ("check_at") WHERE "check_at" IS NOT NULL;
CREATE INDEX "integration_erase_at" ON "integration" ("erase_at") WHERE "erase_at" IS NOT NULL;

-- The keys that close what is kept of linked accounts, each itself closed by a key that is never in the database.
CREATE TABLE "data_key" (
  "id" text COLLATE "C" PRIMARY KEY,
  "wrapped" bytea NOT NULL,
  -- Which key closed it: INTEGRATION_KEYS names it, or it is derived from SECRET.
  "wrapped_by" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  -- Set once a newer one took its place: nothing is closed with it any more.
  "retired_at" timestamptz(3)
);
CREATE UNIQUE INDEX "data_key_current" ON "data_key" ((true)) WHERE "retired_at" IS NULL;

-- What a provider gave us for an account: apart from the account, so that nothing that reads accounts reads this.
CREATE TABLE "integration_secret" (
  "integration_id" text COLLATE "C" PRIMARY KEY REFERENCES "integration" ("id") ON DELETE CASCADE,
  "key_id" text COLLATE "C" NOT NULL REFERENCES "data_key" ("id"),
  "sealed" bytea NOT NULL,
  -- Goes up with every rotation: a refresh is kept only if what it began with is still what is here.
  "version" integer NOT NULL DEFAULT 1,
  "updated_at" timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX "integration_secret_key_id_idx" ON "integration_secret" ("key_id");

-- An owner on the way to a provider and back: ten minutes, once, in the session that set out.
CREATE TABLE "link_attempt" (
  "state_hash" bytea PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "session_id" text COLLATE "C" NOT NULL,
  "provider" text NOT NULL,
  "asked" text[] NOT NULL DEFAULT '{}',
  -- The account to be connected again, if it is not a new one.
  "integration_id" text COLLATE "C" REFERENCES "integration" ("id") ON DELETE CASCADE,
  -- PKCE verifier, nonce and the rest that only we may know.
  "sealed" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "expires_at" timestamptz(3) NOT NULL,
  "used_at" timestamptz(3)
);
CREATE INDEX "link_attempt_expires_at_idx" ON "link_attempt" ("expires_at");
CREATE INDEX "link_attempt_owner_id_idx" ON "link_attempt" ("owner_id");
