-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- A browser that shows alerts. Where its push service is, and what messages to it are encrypted with, is sealed.
CREATE TABLE "push_subscription" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  -- No foreign key: a session that runs out is swept, and its browser goes on being told.
  "session_id" text COLLATE "C" NOT NULL,
  "hash" bytea NOT NULL UNIQUE,
  "sealed" bytea NOT NULL,
  "service" text NOT NULL,
  "device" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "last_seen_at" timestamptz(3) NOT NULL DEFAULT now(),
  "last_told_at" timestamptz(3)
);
CREATE INDEX "push_subscription_owner_id_idx" ON "push_subscription" ("owner_id");
CREATE INDEX "push_subscription_session_id_idx" ON "push_subscription" ("session_id");
CREATE INDEX "push_subscription_last_seen_at_idx" ON "push_subscription" ("last_seen_at");

-- Whichever way a session is ended, its browser is told nothing more.
CREATE FUNCTION "forget_push_subscriptions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "push_subscription" WHERE "session_id" = NEW."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "owner_session_ended" AFTER UPDATE OF "ended_at" ON "owner_session"
  FOR EACH ROW WHEN (NEW."ended_at" IS NOT NULL) EXECUTE FUNCTION "forget_push_subscriptions"();

-- How far an owner has been told. Who looks for alerts holds this row, so that copies of the service take turns.
CREATE TABLE "alert_watch" (
  "owner_id" text COLLATE "C" PRIMARY KEY REFERENCES "owner" ("id"),
  -- What is older waited before there was a browser to tell.
  "since" timestamptz(3) NOT NULL DEFAULT now(),
  "looked_upto" bigint NOT NULL DEFAULT 0,
  "look_again_at" timestamptz(3),
  "emailed_at" timestamptz(3),
  "emailed_upto" timestamptz(3)
);
CREATE INDEX "alert_watch_look_again_at_idx" ON "alert_watch" ("look_again_at");

-- One thing shown to the owner: a question, a notification, or a digest of several of one app.
CREATE TABLE "alert" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "app_id" text COLLATE "C" NOT NULL,
  "about" text NOT NULL CHECK ("about" IN ('questions', 'notifications')),
  -- What it goes by in a browser: the id of what it tells of, or for a digest the app's.
  "tag" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "closed_at" timestamptz(3)
);
CREATE INDEX "alert_owner_id_app_id_created_at_idx" ON "alert" ("owner_id", "app_id", "created_at");
CREATE INDEX "alert_closed_at_idx" ON "alert" ("closed_at");

-- The approvals and notifications that an alert told of: each is told of once.
CREATE TABLE "alert_subject" (
  "subject" text COLLATE "C" PRIMARY KEY,
  "alert_id" text COLLATE "C" NOT NULL REFERENCES "alert" ("id") ON DELETE CASCADE
);
CREATE INDEX "alert_subject_alert_id_idx" ON "alert_subject" ("alert_id");

-- What has to be sent to which browser. Taking a row moves "due_at" on, so that nobody else takes it meanwhile.
CREATE TABLE "alert_delivery" (
  "alert_id" text COLLATE "C" NOT NULL REFERENCES "alert" ("id") ON DELETE CASCADE,
  "subscription_id" text COLLATE "C" NOT NULL REFERENCES "push_subscription" ("id") ON DELETE CASCADE,
  "kind" text NOT NULL CHECK ("kind" IN ('show', 'close')),
  "attempts" integer NOT NULL DEFAULT 0,
  "due_at" timestamptz(3) NOT NULL DEFAULT now(),
  "ended_at" timestamptz(3),
  "outcome" text CHECK ("outcome" IN ('sent', 'dropped', 'refused')),
  PRIMARY KEY ("alert_id", "subscription_id", "kind"),
  CONSTRAINT "ended_with_outcome" CHECK (("ended_at" IS NULL) = ("outcome" IS NULL))
);
CREATE INDEX "alert_delivery_subscription_id_idx" ON "alert_delivery" ("subscription_id");
CREATE INDEX "alert_delivery_due" ON "alert_delivery" ("due_at") WHERE "ended_at" IS NULL;
