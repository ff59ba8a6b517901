-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Every row there is passed the rules that this one took the place of; a dump made from here on is held against it as well.
ALTER TABLE "approval" VALIDATE CONSTRAINT "approval_rules";

-- What is pending can be answered or was not answered in time. With an index for each, none is needed for both: what is asked and
-- answered, as nearly everything is, is written into one less.
CREATE INDEX "approval_unanswered" ON "approval" ("owner_id", "app_id", "created_at" DESC, "id" DESC)
  WHERE "status" = 'pending' AND "deadline_passed_at" IS NOT NULL;
DROP INDEX "approval_pending";
