-- additive
SET lock_timeout = '500ms';

-- "facts": what matters most, as a JSON array of {label, value}; NULL for none. "match": {number, offers}, the number that the app
-- shows and the three that its owner may pick from. "picked": the number picked last; a wrong one is never replaced.
ALTER TABLE "approval"
  ADD COLUMN "facts" json,
  ADD COLUMN "match" json,
  ADD COLUMN "picked" text;

-- As before, with "facts". Without these it is what it was.
CREATE FUNCTION "approval_content_hash"(
  "question" text, "options" json, "background_context" text, "recommendation" text,
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "risk" text, "facts" json, "additions" jsonb
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 'sha256:' || encode(sha256(convert_to('{'
    || coalesce('"additions":[' || (
        SELECT string_agg('{"createdAt":' || (e.it ->> 'createdAt') || ',"text":' || to_json(e.it ->> 'text') || '}', ',' ORDER BY e.at)
        FROM jsonb_array_elements("additions") WITH ORDINALITY AS e(it, at)) || '],', '')
    || coalesce('"backgroundContext":' || to_json("background_context") || ',', '')
    || coalesce('"defaultOptionId":' || to_json("default_option_id") || ',', '')
    || coalesce('"expiresAt":' || (date_part('epoch', "expires_at") * 1000)::bigint || ',', '')
    || CASE WHEN "facts" IS NULL THEN '' ELSE coalesce('"facts":[' || (
        SELECT string_agg('{"label":' || to_json(e.it ->> 'label') || ',"value":' || to_json(e.it ->> 'value') || '}', ',' ORDER BY e.at)
        FROM json_array_elements("facts") WITH ORDINALITY AS e(it, at)) || '],', '') END
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

-- For instances of the previous version.
CREATE OR REPLACE FUNCTION "approval_content_hash"(
  "question" text, "options" json, "background_context" text, "recommendation" text,
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "risk" text, "additions" jsonb
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"("question", "options", "background_context", "recommendation",
    "expires_at", "default_option_id", "owner_only", "risk", NULL::json, "additions");
END $$;

CREATE OR REPLACE FUNCTION "approval_current_hash"("a" "approval") RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"(a."question", a."options", a."background_context", a."recommendation",
    a."expires_at", a."default_option_id", a."owner_only", a."risk", a."facts", "approval_additions"(a."id"));
END $$;

-- As before, with two rules for "match": it needs a high risk, and only its owner answers, after picking the right number. An answer
-- by "countersign simulate" says so in its row.
CREATE FUNCTION "approval_rules"(
  "status" text, "resolution" json, "resolved_at" timestamptz, "expires_at" timestamptz, "default_option_id" text,
  "owner_only" boolean, "risk" text, "match" json, "picked" text, "simulated" boolean
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  "broken" text;
BEGIN
  IF ("status" IN ('pending', 'resolved')
    AND ("status" = 'resolved') = ("resolution" IS NOT NULL) AND ("status" = 'resolved') = ("resolved_at" IS NOT NULL)
    AND ("resolution" IS NULL OR (
      coalesce("resolution" ->> 'resolvedBy', '') IN ('owner', 'api')
      AND coalesce("resolution" ->> 'kind', '') IN ('option', 'other')
      AND ("resolution" ->> 'kind' = 'option') = ("resolution" ->> 'optionId' IS NOT NULL)
      AND ("resolution" ->> 'kind' = 'other') = ("resolution" ->> 'otherText' IS NOT NULL)))
    AND ("default_option_id" IS NULL OR "expires_at" IS NOT NULL)
    AND (NOT "owner_only" OR ("default_option_id" IS NULL AND coalesce("resolution" ->> 'resolvedBy', 'owner') = 'owner'))
    AND ("match" IS NULL OR (coalesce("risk", '') = 'high' AND "default_option_id" IS NULL AND ("resolution" IS NULL OR (
      "resolution" ->> 'resolvedBy' = 'owner'
      AND ("simulated" IS TRUE OR coalesce("picked" = "match" ->> 'number', false))))))
    AND "risk" IN ('low', 'normal', 'high')) IS NOT FALSE
  THEN
    RETURN true;
  END IF;
  "broken" := CASE
    WHEN "status" NOT IN ('pending', 'resolved') THEN 'status_known'
    WHEN ("status" = 'resolved') <> ("resolution" IS NOT NULL) OR ("status" = 'resolved') <> ("resolved_at" IS NOT NULL)
      THEN 'resolved_iff_resolution'
    WHEN "default_option_id" IS NOT NULL AND "expires_at" IS NULL THEN 'default_has_deadline'
    WHEN "owner_only" AND ("default_option_id" IS NOT NULL OR "resolution" ->> 'resolvedBy' <> 'owner') THEN 'owner_only_means_owner'
    WHEN "risk" NOT IN ('low', 'normal', 'high') THEN 'risk_known'
    WHEN "match" IS NOT NULL AND (coalesce("risk", '') <> 'high' OR "default_option_id" IS NOT NULL) THEN 'match_is_high_risk'
    WHEN "match" IS NOT NULL AND "resolution" IS NOT NULL AND "resolution" ->> 'kind' IN ('option', 'other') THEN 'match_means_picked'
    ELSE 'resolution_whole' END;
  RAISE check_violation USING MESSAGE = format('new row for relation "approval" violates the rule "%s"', "broken"),
    TABLE = 'approval', CONSTRAINT = "broken";
END $$;

-- NOT VALID reads no rows under this lock. The next migration reads them.
ALTER TABLE "approval"
  DROP CONSTRAINT "approval_rules",
  ADD CONSTRAINT "approval_rules" CHECK (
    "approval_rules"("status", "resolution", "resolved_at", "expires_at", "default_option_id", "owner_only", "risk", "match", "picked",
      "simulated")
  ) NOT VALID;
DROP FUNCTION "approval_rules"(text, json, timestamptz, timestamptz, text, boolean, text);

DROP TRIGGER "approval_content_is_immutable" ON "approval";
CREATE TRIGGER "approval_content_is_immutable"
  AFTER UPDATE OF "id", "owner_id", "app_id", "question", "options", "background_context", "recommendation", "created_at",
    "expires_at", "default_option_id", "owner_only", "risk", "facts", "match" ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was asked never changes');

-- The same view, with the facts for emails and alerts.
CREATE OR REPLACE VIEW "open_approval" AS
SELECT a."id", a."owner_id", a."app_id", a."question", a."options", a."talk", a."resolution", a."resolved_at", a."created_at",
  a."expires_at", d."seen_at", d."snoozed_until", d."returned_at", d."reminded_at", d."remind_mailed_at",
  d."held_answer" IS NOT NULL AS "held",
  CASE WHEN a."expires_at" <= now() THEN 'passed' WHEN d."snoozed_until" > now() THEN 'snoozed'
    WHEN d."asked_back_at" IS NOT NULL THEN 'asked' WHEN c."questions_muted" THEN 'muted' ELSE 'waiting' END AS "place",
  EXISTS (SELECT FROM "live_grant" g WHERE g."owner_id" = a."owner_id" AND g."app_id" = a."app_id") AS "connected",
  a."risk", a."facts"
FROM "approval" a LEFT JOIN "approval_desk" d ON d."approval_id" = a."id"
  LEFT JOIN "app_choice" c ON c."owner_id" = a."owner_id" AND c."app_id" = a."app_id"
WHERE a."status" = 'pending' AND a."deadline_passed_at" IS NULL;
