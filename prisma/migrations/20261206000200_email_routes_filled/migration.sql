-- additive
SET lock_timeout = '500ms';

-- Adds the routes of accounts from before. Only a change of the same account's email waits for this migration.
INSERT INTO "email_route" ("email", "owner_id", "first")
SELECT "email", "id", "first" FROM "owner" ORDER BY "id" FOR KEY SHARE
ON CONFLICT DO NOTHING;
