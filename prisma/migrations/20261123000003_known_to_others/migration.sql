-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- What other domains may know of a linked account. One that its owner removed stands on no form.
CREATE VIEW "linked_account" AS
SELECT "id", "owner_id", "provider", "email", "label", "status" = 'disconnected' AS "removed" FROM "integration";

-- What the service itself says in an owner's feed. Who writes here can say nothing in an app's name.
CREATE VIEW "own_notification" AS
SELECT "id", "owner_id", "app_id", "title", "body", "type" FROM "notification" WHERE "app_id" = 'countersign'
WITH CHECK OPTION;

-- In which session a browser shows the owner's alerts. Who opens a session in place of another moves them there, and who ends
-- every session ends them.
CREATE VIEW "session_alerts" AS SELECT "owner_id", "session_id" FROM "push_subscription";
