-- additive
SET lock_timeout = '500ms';

-- Fills the rows from before. Only a change of the same row waits for this migration.
UPDATE "token" t SET "owner_id" = g."owner_id" FROM "app_grant" g WHERE g."id" = t."grant_id" AND t."owner_id" = '';
UPDATE "grant_scope" t SET "owner_id" = g."owner_id" FROM "app_grant" g WHERE g."id" = t."grant_id" AND t."owner_id" = '';
UPDATE "taken_scope" t SET "owner_id" = g."owner_id" FROM "app_grant" g WHERE g."id" = t."grant_id" AND t."owner_id" = '';
UPDATE "grant_integration" t SET "owner_id" = g."owner_id" FROM "app_grant" g WHERE g."id" = t."grant_id" AND t."owner_id" = '';
UPDATE "refresh_token" t SET "owner_id" = g."owner_id" FROM "app_grant" g WHERE g."id" = t."grant_id" AND t."owner_id" = '';
UPDATE "authorization_code" t SET "owner_id" = g."owner_id" FROM "app_grant" g WHERE g."id" = t."grant_id" AND t."owner_id" = '';
