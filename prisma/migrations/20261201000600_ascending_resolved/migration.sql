-- additive
SET lock_timeout = '500ms';

-- The index becomes ascending, for the reason in ascending_list.
CREATE INDEX "approval_resolved_ascending" ON "approval" ("owner_id", "app_id", "created_at", "id")
  WHERE "status" = 'resolved';
DROP INDEX "approval_resolved";
ALTER INDEX "approval_resolved_ascending" RENAME TO "approval_resolved";
