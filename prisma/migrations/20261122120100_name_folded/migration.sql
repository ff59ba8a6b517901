-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Names are compared by Unicode's own table of look-alikes, as they are written and in small letters. Null until the service
-- has folded the name anew, which it does before it serves; a later table sets it to null again.
ALTER TABLE "app" ADD COLUMN "name_folded" text;
CREATE INDEX "app_name_folded_live" ON "app" ("name_folded") WHERE "deleted_at" IS NULL AND "kind" = 'manual';
CREATE INDEX "app_name_unfolded" ON "app" ("created_at") WHERE "name_folded" IS NULL;
