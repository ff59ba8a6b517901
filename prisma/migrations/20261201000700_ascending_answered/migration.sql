-- additive
SET lock_timeout = '500ms';

-- The index becomes ascending, for the reason in ascending_list.
CREATE INDEX "approval_answered_ascending" ON "approval" ("owner_id", "resolved_at", "id")
  WHERE "status" = 'resolved';
DROP INDEX "approval_answered";
ALTER INDEX "approval_answered_ascending" RENAME TO "approval_answered";
