-- additive
SET lock_timeout = '500ms';

-- Names of apps registered by hand are unique for each owner, and found among the owner's own apps.
CREATE UNIQUE INDEX "app_owner_name_skeleton_live" ON "app" ("owner_id", "name_skeleton")
  WHERE "deleted_at" IS NULL AND "kind" = 'manual';
DROP INDEX "app_name_skeleton_live";
DROP INDEX "app_name_folded_live";
