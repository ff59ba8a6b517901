-- additive
SET lock_timeout = '500ms';

-- "frozen_at": the time at which its clock stands still. "due_at": the deadline after freezes moved it; NULL if none did. "expires_at"
-- never changes, because the content hash covers it.
ALTER TABLE "approval"
  ADD COLUMN "frozen_at" timestamptz(3),
  ADD COLUMN "due_at" timestamptz(3);

-- The same view. Its "expires_at" is the moved deadline, and a frozen question's deadline does not pass.
CREATE OR REPLACE VIEW "open_approval" AS
SELECT a."id", a."owner_id", a."app_id", a."question", a."options", a."talk", a."resolution", a."resolved_at", a."created_at",
  coalesce(a."due_at", a."expires_at") AS "expires_at",
  d."seen_at", d."snoozed_until", d."returned_at", d."reminded_at", d."remind_mailed_at", d."held_answer" IS NOT NULL AS "held",
  CASE WHEN coalesce(a."due_at", a."expires_at") <= coalesce(a."frozen_at", now()) THEN 'passed'
    WHEN d."snoozed_until" > now() THEN 'snoozed'
    WHEN d."asked_back_at" IS NOT NULL OR a."picked" <> a."match" ->> 'number' THEN 'asked'
    WHEN c."questions_muted" THEN 'muted' ELSE 'waiting' END AS "place",
  EXISTS (SELECT FROM "live_grant" g WHERE g."owner_id" = a."owner_id" AND g."app_id" = a."app_id") AS "connected",
  a."risk", a."facts", a."due_at", a."frozen_at"
FROM "approval" a LEFT JOIN "approval_desk" d ON d."approval_id" = a."id"
  LEFT JOIN "app_choice" c ON c."owner_id" = a."owner_id" AND c."app_id" = a."app_id"
WHERE a."status" = 'pending' AND a."deadline_passed_at" IS NULL;
