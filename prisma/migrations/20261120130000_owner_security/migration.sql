-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

CREATE TABLE "owner_session" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "method" text NOT NULL CHECK ("method" IN ('password', 'passkey', 'recovery_code', 'email_link')),
  "device" text NOT NULL,
  "address" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "signed_in_at" timestamptz(3) NOT NULL DEFAULT now(),
  "last_seen_at" timestamptz(3) NOT NULL DEFAULT now(),
  "expires_at" timestamptz(3) NOT NULL,
  "ended_at" timestamptz(3)
);
CREATE INDEX "owner_session_owner_id_idx" ON "owner_session" ("owner_id");
CREATE INDEX "owner_session_expires_at_idx" ON "owner_session" ("expires_at");

CREATE TABLE "passkey" (
  "id" text COLLATE "C" PRIMARY KEY CHECK (length("id") <= 1400),
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "name" text NOT NULL,
  "public_key" bytea NOT NULL,
  "counter" bigint NOT NULL,
  "transports" text[] NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "last_used_at" timestamptz(3)
);
CREATE INDEX "passkey_owner_id_idx" ON "passkey" ("owner_id");

CREATE TABLE "passkey_challenge" (
  "hash" bytea PRIMARY KEY,
  -- Whose, where somebody is signed in already; null at the front door.
  "owner_id" text COLLATE "C" REFERENCES "owner" ("id"),
  "purpose" text NOT NULL CHECK ("purpose" IN ('register', 'sign_in')),
  "expires_at" timestamptz(3) NOT NULL
);
CREATE INDEX "passkey_challenge_expires_at_idx" ON "passkey_challenge" ("expires_at");

CREATE TABLE "recovery_code" (
  "hash" bytea PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "used_at" timestamptz(3)
);
CREATE INDEX "recovery_code_owner_id_idx" ON "recovery_code" ("owner_id");

CREATE TABLE "sign_in_link" (
  "hash" bytea PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "expires_at" timestamptz(3) NOT NULL,
  "used_at" timestamptz(3)
);
CREATE INDEX "sign_in_link_owner_id_idx" ON "sign_in_link" ("owner_id");
CREATE INDEX "sign_in_link_expires_at_idx" ON "sign_in_link" ("expires_at");
