-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- What an owner lets an app do now: neither taken back nor over. An app that is deleted has no such grant: whoever deletes it
-- takes them back in the same transaction.
CREATE VIEW "live_grant" AS
SELECT g."id", g."owner_id", g."app_id", g."created_at", g."expires_at"
FROM "app_grant" g WHERE g."revoked_at" IS NULL AND (g."expires_at" IS NULL OR g."expires_at" > now());

-- What nobody has answered, and of which it is not written down that the deadline passed; with what its owner did about it.
-- "place" is where it is: it waits for its owner, or its app is muted, they asked back, they put it off, or the deadline has
-- passed. "held": an answer is given and can still be taken back. "connected": its app is let in, and can read an answer. Said
-- once, for the inbox, the badge, the alerts, and the cap of what may wait.
CREATE VIEW "open_approval" AS
SELECT a."id", a."owner_id", a."app_id", a."question", a."options", a."talk", a."resolution", a."resolved_at", a."created_at",
  a."expires_at", d."seen_at", d."snoozed_until", d."returned_at", d."reminded_at", d."remind_mailed_at",
  d."held_answer" IS NOT NULL AS "held",
  CASE WHEN a."expires_at" <= now() THEN 'passed' WHEN d."snoozed_until" > now() THEN 'snoozed'
    WHEN d."asked_back_at" IS NOT NULL THEN 'asked' WHEN c."questions_muted" THEN 'muted' ELSE 'waiting' END AS "place",
  EXISTS (SELECT FROM "live_grant" g WHERE g."owner_id" = a."owner_id" AND g."app_id" = a."app_id") AS "connected"
FROM "approval" a LEFT JOIN "approval_desk" d ON d."approval_id" = a."id"
  LEFT JOIN "app_choice" c ON c."owner_id" = a."owner_id" AND c."app_id" = a."app_id"
WHERE a."status" = 'pending' AND a."deadline_passed_at" IS NULL;
