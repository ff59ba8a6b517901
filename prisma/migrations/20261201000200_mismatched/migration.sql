-- additive
SET lock_timeout = '500ms';

-- The same view. A question whose number was picked wrong waits for its app, which has to ask again, so it is neither counted nor alerted.
CREATE OR REPLACE VIEW "open_approval" AS
SELECT a."id", a."owner_id", a."app_id", a."question", a."options", a."talk", a."resolution", a."resolved_at", a."created_at",
  a."expires_at", d."seen_at", d."snoozed_until", d."returned_at", d."reminded_at", d."remind_mailed_at",
  d."held_answer" IS NOT NULL AS "held",
  CASE WHEN a."expires_at" <= now() THEN 'passed' WHEN d."snoozed_until" > now() THEN 'snoozed'
    WHEN d."asked_back_at" IS NOT NULL OR a."picked" <> a."match" ->> 'number' THEN 'asked'
    WHEN c."questions_muted" THEN 'muted' ELSE 'waiting' END AS "place",
  EXISTS (SELECT FROM "live_grant" g WHERE g."owner_id" = a."owner_id" AND g."app_id" = a."app_id") AS "connected",
  a."risk", a."facts"
FROM "approval" a LEFT JOIN "approval_desk" d ON d."approval_id" = a."id"
  LEFT JOIN "app_choice" c ON c."owner_id" = a."owner_id" AND c."app_id" = a."app_id"
WHERE a."status" = 'pending' AND a."deadline_passed_at" IS NULL;
