-- additive
SET lock_timeout = '500ms';

-- New rows belong at the end of an ascending index. PostgreSQL fills the pages there, but splits the
-- pages of a descending index in half, which takes more space and a longer write-ahead log. Lists
-- that start with the newest row read the index backward.
CREATE INDEX "approval_list_ascending" ON "approval" ("owner_id", "app_id", "created_at", "id");
DROP INDEX "approval_list";
ALTER INDEX "approval_list_ascending" RENAME TO "approval_list";
