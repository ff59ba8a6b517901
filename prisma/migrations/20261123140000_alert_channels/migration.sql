-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Where an owner gets alerts outside their browsers. What opens it is sealed with a data key.
CREATE TABLE "alert_channel" (
  "id" text COLLATE "C" PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "kind" text NOT NULL CHECK ("kind" IN ('ntfy', 'gotify', 'telegram', 'slack', 'webhook')),
  "name" text NOT NULL,
  "service" text NOT NULL,
  "key_id" text COLLATE "C" NOT NULL REFERENCES "data_key" ("id"),
  "sealed" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "last_told_at" timestamptz(3),
  "failing_since" timestamptz(3),
  "problem" text,
  "failing_told" boolean NOT NULL DEFAULT false
);
CREATE INDEX "alert_channel_owner_id_idx" ON "alert_channel" ("owner_id");
CREATE INDEX "alert_channel_key_id_idx" ON "alert_channel" ("key_id");

-- Wherever an owner is told. Copies of the former version go on with browsers alone.
CREATE VIEW "alert_target" AS
  SELECT "id", "owner_id", "service", 'browser' AS "kind", "sealed", NULL::text COLLATE "C" AS "key_id" FROM "push_subscription"
  UNION ALL SELECT "id", "owner_id", "service", "kind", "sealed", "key_id" FROM "alert_channel";

-- A delivery goes to either, so what a foreign key did is done here: it goes when they do.
ALTER TABLE "alert_delivery" ADD COLUMN "receipt" text;
ALTER TABLE "alert_delivery" DROP CONSTRAINT "alert_delivery_subscription_id_fkey";
CREATE FUNCTION "forget_alert_deliveries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "alert_delivery" WHERE "subscription_id" = OLD."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "push_subscription_gone" AFTER DELETE ON "push_subscription"
  FOR EACH ROW EXECUTE FUNCTION "forget_alert_deliveries"();
CREATE TRIGGER "alert_channel_gone" AFTER DELETE ON "alert_channel"
  FOR EACH ROW EXECUTE FUNCTION "forget_alert_deliveries"();
