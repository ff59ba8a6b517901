-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- When a question last came back from being put off: it counts as asked then.
ALTER TABLE "approval_desk" ADD COLUMN "returned_at" timestamptz(3);
