-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Whether the time zone was chosen, or taken from the owner's browser. Until then the browser's may take its place.
ALTER TABLE "owner_settings" ADD COLUMN "zone_known" boolean NOT NULL DEFAULT false;

UPDATE "owner_settings" s SET "zone_known" = true
WHERE s."time_zone" <> 'UTC' OR EXISTS (
  SELECT FROM "event" e WHERE e."owner_id" = s."owner_id" AND e."type" = 'owner.settings_changed'
    AND e."data" -> 'changed' ? 'timeZone'
);
