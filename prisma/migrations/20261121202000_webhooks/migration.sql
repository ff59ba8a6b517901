-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Where an app is told of events by POST. It belongs to an app, and is managed by the owner who registered that.
CREATE TABLE "webhook_endpoint" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "app_id" text COLLATE "C" NOT NULL REFERENCES "app" ("id"),
  "url" text NOT NULL,
  "description" text NOT NULL DEFAULT '',
  -- The types of events it wants; where none is named all there are, also later ones.
  "types" text[] NOT NULL DEFAULT '{}',
  "state" text NOT NULL DEFAULT 'on' CHECK ("state" IN ('on', 'off', 'disabled')),
  -- Why we switched it off: it said that it is gone, it failed for days, or what it is signed with does not open any more.
  "disabled_reason" text CHECK ("disabled_reason" IN ('gone', 'failing', 'secret')),
  -- Attempts that failed in a row, and since when.
  "failures" integer NOT NULL DEFAULT 0,
  "failing_since" timestamptz(3),
  -- It is told of what this transaction and later ones write.
  "since" xid8 NOT NULL DEFAULT "event_tx"(),
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT "disabled_for_a_reason" CHECK (("state" = 'disabled') = ("disabled_reason" IS NOT NULL))
);
CREATE INDEX "webhook_endpoint_owner_id_idx" ON "webhook_endpoint" ("owner_id");
CREATE INDEX "webhook_endpoint_app_id_idx" ON "webhook_endpoint" ("app_id");

-- What it is signed with, closed with a data key: the one in use, and the one before until it retires.
CREATE TABLE "webhook_secret" (
  "id" text COLLATE "C" PRIMARY KEY,
  "endpoint_id" text COLLATE "C" NOT NULL REFERENCES "webhook_endpoint" ("id") ON DELETE CASCADE,
  "key_id" text COLLATE "C" NOT NULL REFERENCES "data_key" ("id"),
  "sealed" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "retires_at" timestamptz(3)
);
CREATE INDEX "webhook_secret_endpoint_id_idx" ON "webhook_secret" ("endpoint_id");
CREATE INDEX "webhook_secret_key_id_idx" ON "webhook_secret" ("key_id");
CREATE UNIQUE INDEX "webhook_secret_in_use" ON "webhook_secret" ("endpoint_id") WHERE "retires_at" IS NULL;

-- One event on its way to one endpoint. Whoever sends it holds a lease, which ends by itself when they are gone.
CREATE TABLE "webhook_delivery" (
  "id" text COLLATE "C" PRIMARY KEY,
  "endpoint_id" text COLLATE "C" NOT NULL REFERENCES "webhook_endpoint" ("id") ON DELETE CASCADE,
  -- Whose event it is, and by which grant the app may know of it; a test has no grant.
  "owner_id" text COLLATE "C" NOT NULL,
  "grant_id" text COLLATE "C",
  "event" text COLLATE "C" NOT NULL,
  "type" text NOT NULL,
  -- The same bytes at every attempt; empty for what was never sent and may not be any more.
  "body" text NOT NULL,
  "state" text NOT NULL DEFAULT 'pending' CHECK ("state" IN ('pending', 'delivered', 'failed', 'dropped')),
  "attempts" integer NOT NULL DEFAULT 0,
  -- Attempts before somebody had it sent again: the schedule begins anew after them.
  "former_attempts" integer NOT NULL DEFAULT 0,
  "due_at" timestamptz(3) NOT NULL DEFAULT now(),
  "lease" text COLLATE "C",
  "lease_until" timestamptz(3),
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "ended_at" timestamptz(3),
  CONSTRAINT "ended_unless_pending" CHECK (("state" = 'pending') = ("ended_at" IS NULL)),
  CONSTRAINT "leased_with_an_end" CHECK (("lease" IS NULL) = ("lease_until" IS NULL)),
  CONSTRAINT "leased_only_pending" CHECK ("lease" IS NULL OR "state" = 'pending')
);
CREATE UNIQUE INDEX "webhook_delivery_endpoint_id_event_key" ON "webhook_delivery" ("endpoint_id", "event");
CREATE INDEX "webhook_delivery_owner_id_idx" ON "webhook_delivery" ("owner_id");
CREATE INDEX "webhook_delivery_endpoint_id_id_idx" ON "webhook_delivery" ("endpoint_id", "id");
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" ("endpoint_id", "due_at", "id") WHERE "state" = 'pending';
CREATE INDEX "webhook_delivery_leased" ON "webhook_delivery" ("endpoint_id") WHERE "lease" IS NOT NULL;
CREATE INDEX "webhook_delivery_ended" ON "webhook_delivery" ("ended_at") WHERE "ended_at" IS NOT NULL;

-- How one attempt went. Nothing of the reply but its status.
CREATE TABLE "webhook_attempt" (
  "delivery_id" text COLLATE "C" NOT NULL REFERENCES "webhook_delivery" ("id") ON DELETE CASCADE,
  "number" integer NOT NULL,
  "at" timestamptz(3) NOT NULL,
  "ms" integer NOT NULL,
  "status" integer,
  -- What went wrong, in a sentence of ours.
  "problem" text,
  PRIMARY KEY ("delivery_id", "number")
);

-- How far the log has been turned into deliveries. Whoever does that holds this one row.
CREATE TABLE "webhook_cursor" (
  "id" integer PRIMARY KEY CHECK ("id" = 1),
  "tx" xid8 NOT NULL,
  "event_id" bigint NOT NULL
);
-- There are no endpoints yet, so nothing from before is for any.
INSERT INTO "webhook_cursor" ("id", "tx", "event_id") VALUES (1, "event_horizon"(), 0);

-- The log of all owners in its order.
CREATE INDEX "event_tx_id_idx" ON "event" ("tx", "id");
