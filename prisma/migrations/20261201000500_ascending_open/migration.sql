-- additive
SET lock_timeout = '500ms';

-- The index becomes ascending, for the reason in ascending_list.
CREATE INDEX "approval_open_ascending" ON "approval" ("owner_id", "app_id", "created_at", "id")
  WHERE "status" = 'pending' AND "deadline_passed_at" IS NULL;
DROP INDEX "approval_open";
ALTER INDEX "approval_open_ascending" RENAME TO "approval_open";
