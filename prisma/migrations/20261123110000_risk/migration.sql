-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- How risky its app says that the decision is; NULL where it says nothing. NOT VALID looks through nothing, and holds for every
-- row that is written from now on.
ALTER TABLE "approval"
  ADD COLUMN "risk" text,
  ADD CONSTRAINT "risk_known" CHECK ("risk" IN ('low', 'normal', 'high')) NOT VALID;
CREATE TRIGGER "approval_risk_is_immutable" BEFORE UPDATE OF "risk" ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was asked never changes');

-- As before, with "risk", and the "style" of options. Without these it is what it was.
CREATE FUNCTION "approval_content_hash"(
  "question" text, "options" json, "background_context" text, "recommendation" text,
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "risk" text, "additions" jsonb
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 'sha256:' || encode(sha256(convert_to('{'
    || coalesce('"additions":[' || (
        SELECT string_agg('{"createdAt":' || (e.it ->> 'createdAt') || ',"text":' || to_json(e.it ->> 'text') || '}', ',' ORDER BY e.at)
        FROM jsonb_array_elements("additions") WITH ORDINALITY AS e(it, at)) || '],', '')
    || coalesce('"backgroundContext":' || to_json("background_context") || ',', '')
    || coalesce('"defaultOptionId":' || to_json("default_option_id") || ',', '')
    || coalesce('"expiresAt":' || (date_part('epoch', "expires_at") * 1000)::bigint || ',', '')
    || '"options":[' || coalesce((
        SELECT string_agg('{"id":' || to_json(e.it ->> 'id') || ',"label":' || to_json(e.it ->> 'label')
          || coalesce(',"note":' || to_json(e.it ->> 'note'), '')
          || coalesce(',"style":' || to_json(e.it ->> 'style'), '') || '}', ',' ORDER BY e.at)
        FROM json_array_elements("options") WITH ORDINALITY AS e(it, at)), '') || ']'
    || CASE WHEN "owner_only" THEN ',"ownerOnly":true' ELSE '' END
    || ',"question":' || to_json("question")
    || coalesce(',"recommendation":' || to_json("recommendation"), '')
    || coalesce(',"risk":' || to_json("risk"), '')
    || '}', 'UTF8')), 'hex');
END $$;

-- For copies of the service from before there was any risk.
CREATE OR REPLACE FUNCTION "approval_content_hash"(
  "question" text, "options" json, "background_context" text, "recommendation" text,
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "additions" jsonb
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"("question", "options", "background_context", "recommendation",
    "expires_at", "default_option_id", "owner_only", NULL, "additions");
END $$;

CREATE OR REPLACE FUNCTION "approval_current_hash"("a" "approval") RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"(a."question", a."options", a."background_context", a."recommendation",
    a."expires_at", a."default_option_id", a."owner_only", a."risk", "approval_additions"(a."id"));
END $$;

-- The same view, with the risk to sort by.
CREATE OR REPLACE VIEW "open_approval" AS
SELECT a."id", a."owner_id", a."app_id", a."question", a."options", a."talk", a."resolution", a."resolved_at", a."created_at",
  a."expires_at", d."seen_at", d."snoozed_until", d."returned_at", d."reminded_at", d."remind_mailed_at",
  d."held_answer" IS NOT NULL AS "held",
  CASE WHEN a."expires_at" <= now() THEN 'passed' WHEN d."snoozed_until" > now() THEN 'snoozed'
    WHEN d."asked_back_at" IS NOT NULL THEN 'asked' WHEN c."questions_muted" THEN 'muted' ELSE 'waiting' END AS "place",
  EXISTS (SELECT FROM "live_grant" g WHERE g."owner_id" = a."owner_id" AND g."app_id" = a."app_id") AS "connected",
  a."risk"
FROM "approval" a LEFT JOIN "approval_desk" d ON d."approval_id" = a."id"
  LEFT JOIN "app_choice" c ON c."owner_id" = a."owner_id" AND c."app_id" = a."app_id"
WHERE a."status" = 'pending' AND a."deadline_passed_at" IS NULL;
