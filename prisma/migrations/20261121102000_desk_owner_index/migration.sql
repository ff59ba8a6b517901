-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- An owner's rows in an order that has an end: they are read page by page when the owner takes their data along.
CREATE INDEX "approval_desk_owner_id_approval_id_idx" ON "approval_desk" ("owner_id", "approval_id");
DROP INDEX "approval_desk_owner_id_idx";
