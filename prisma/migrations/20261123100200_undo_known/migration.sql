-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Whether the owner chose for how long an answer can be taken back. Until then the operator's default holds.
ALTER TABLE "owner_settings" ADD COLUMN "undo_known" boolean NOT NULL DEFAULT false;

UPDATE "owner_settings" s SET "undo_known" = true
WHERE s."undo_seconds" <> 0 OR EXISTS (
  SELECT FROM "event" e WHERE e."owner_id" = s."owner_id" AND e."type" = 'owner.settings_changed'
    AND e."data" -> 'changed' ? 'undoSeconds'
);
