-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- What the owner has made of a notification, and what its data asked of their pages. Apps never learn any of it.
ALTER TABLE "notification"
  ADD COLUMN "surfaced_at" timestamptz(3),
  ADD COLUMN "done_at" timestamptz(3),
  ADD COLUMN "expires_at" timestamptz(3),
  ADD COLUMN "dedupe_key" text COLLATE "C",
  ADD COLUMN "replaced_at" timestamptz(3),
  ADD COLUMN "urgent" boolean NOT NULL DEFAULT false;
UPDATE "notification" SET "surfaced_at" = "created_at";
-- Cut off, not rounded: it is never later than the moment in which it is read.
ALTER TABLE "notification"
  ALTER COLUMN "surfaced_at" SET DEFAULT date_trunc('milliseconds', now()),
  ALTER COLUMN "surfaced_at" SET NOT NULL;

ALTER TABLE "owner" ADD COLUMN "notifications_seen_at" timestamptz(3);
UPDATE "owner" SET "notifications_seen_at" = now();

-- As many indexes for every insert as before: what is done, expires or replaces is in the others only then.
DROP INDEX "notification_feed";
DROP INDEX "notification_unread";
CREATE INDEX "notification_inbox" ON "notification" ("owner_id", "surfaced_at" DESC, "id" DESC)
  WHERE "done_at" IS NULL AND "replaced_at" IS NULL;
CREATE INDEX "notification_unread" ON "notification" ("owner_id", "surfaced_at" DESC, "id" DESC)
  WHERE "read_at" IS NULL AND "done_at" IS NULL AND "replaced_at" IS NULL;
CREATE INDEX "notification_done" ON "notification" ("owner_id", "done_at" DESC, "id" DESC)
  WHERE "done_at" IS NOT NULL AND "replaced_at" IS NULL;
CREATE INDEX "notification_expiring" ON "notification" ("expires_at") WHERE "expires_at" IS NOT NULL AND "done_at" IS NULL;
CREATE INDEX "notification_same" ON "notification" ("owner_id", "app_id", "dedupe_key", "created_at" DESC, "id" DESC)
  WHERE "dedupe_key" IS NOT NULL;

-- What the owner is not done with, now or once its snooze ends, and whether they muted it: said once, for the list and for
-- the count beside it. Two that replace each other and came at the same moment are told apart here: neither knew of the other.
CREATE VIEW "open_notification" AS
SELECT n."id", n."owner_id", n."app_id", n."title", n."body", n."type", n."data", n."created_at", n."read_at",
  n."surfaced_at", n."done_at", n."expires_at", n."dedupe_key", n."replaced_at", n."urgent",
  coalesce(c."notifications_muted", false) AS "app_muted", coalesce(n."type" = ANY (c."muted_types"), false) AS "type_muted"
FROM "notification" n LEFT JOIN "app_choice" c ON c."owner_id" = n."owner_id" AND c."app_id" = n."app_id"
WHERE n."done_at" IS NULL AND n."replaced_at" IS NULL AND (n."expires_at" IS NULL OR n."expires_at" > now())
  AND (n."dedupe_key" IS NULL OR NOT EXISTS (
    SELECT FROM "notification" newer
    WHERE newer."owner_id" = n."owner_id" AND newer."app_id" = n."app_id" AND newer."dedupe_key" = n."dedupe_key"
      AND newer."dedupe_key" IS NOT NULL AND (newer."created_at", newer."id") > (n."created_at", n."id")));
