-- additive
SET lock_timeout = '500ms';

-- "signed_by_owner": whether a passkey of its owner must sign the answer: "required", "in-lens", "when-possible" (if there is one), or
-- NULL.
ALTER TABLE "approval" ADD COLUMN "signed_by_owner" text;

-- As before, with "signed_by_owner". Without it the hash is what it was.
CREATE FUNCTION "approval_content_hash"(
  "question" text, "options" json, "background_context" text, "recommendation" text,
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "risk" text, "facts" json, "fields" json, "once" boolean,
  "signed_by_owner" text, "additions" jsonb
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
    || coalesce('"fields":' || ("fields" -> 'schema') || ',', '')
    || CASE WHEN "once" THEN '"once":true,' ELSE '' END
    || '"options":[' || coalesce((
        SELECT string_agg('{' || CASE WHEN e.it ->> 'fields' = 'true' THEN '"fields":true,' ELSE '' END
          || '"id":' || to_json(e.it ->> 'id') || ',"label":' || to_json(e.it ->> 'label')
          || coalesce(',"note":' || to_json(e.it ->> 'note'), '')
          || coalesce(',"style":' || to_json(e.it ->> 'style'), '') || '}', ',' ORDER BY e.at)
        FROM json_array_elements("options") WITH ORDINALITY AS e(it, at)), '') || ']'
    || CASE WHEN "owner_only" THEN ',"ownerOnly":true' ELSE '' END
    || ',"question":' || to_json("question")
    || coalesce(',"recommendation":' || to_json("recommendation"), '')
    || coalesce(',"risk":' || to_json("risk"), '')
    || CASE "signed_by_owner" WHEN 'required' THEN ',"signedByOwner":true' WHEN 'when-possible' THEN ',"signedByOwner":"when-possible"'
      WHEN 'in-lens' THEN ',"signedByOwner":"in-lens"' ELSE '' END
    || '}', 'UTF8')), 'hex');
END $$;

-- For instances of the previous version.
CREATE OR REPLACE FUNCTION "approval_content_hash"(
  "question" text, "options" json, "background_context" text, "recommendation" text,
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "risk" text, "facts" json, "fields" json, "once" boolean,
  "additions" jsonb
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"("question", "options", "background_context", "recommendation",
    "expires_at", "default_option_id", "owner_only", "risk", "facts", "fields", "once", NULL::text, "additions");
END $$;

CREATE OR REPLACE FUNCTION "approval_current_hash"("a" "approval") RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"(a."question", a."options", a."background_context", a."recommendation",
    a."expires_at", a."default_option_id", a."owner_only", a."risk", a."facts", a."fields", a."once", a."signed_by_owner",
    "approval_additions"(a."id"));
END $$;

-- As before, with the rules for "signed_by_owner": only its owner answers what must be signed, and only with a signature. An instance
-- of the previous version can therefore not record an unsigned answer.
CREATE FUNCTION "approval_rules"(
  "status" text, "resolution" json, "resolved_at" timestamptz, "expires_at" timestamptz, "default_option_id" text,
  "owner_only" boolean, "risk" text, "match" json, "picked" text, "simulated" boolean, "signed_by_owner" text
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
    AND "risk" IN ('low', 'normal', 'high')
    AND ("signed_by_owner" IS NULL OR ("default_option_id" IS NULL AND ("signed_by_owner" = 'when-possible' OR (
      "signed_by_owner" IN ('required', 'in-lens') AND "owner_only" AND ("resolution" IS NULL OR "resolution" -> 'signature' IS NOT NULL)))))
  ) IS NOT FALSE
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
    WHEN "signed_by_owner" NOT IN ('required', 'in-lens', 'when-possible') THEN 'signing_known'
    WHEN "signed_by_owner" IS NOT NULL AND ("default_option_id" IS NOT NULL OR ("signed_by_owner" <> 'when-possible' AND NOT "owner_only"))
      THEN 'signed_means_owner'
    WHEN "signed_by_owner" <> 'when-possible' AND "resolution" IS NOT NULL AND "resolution" ->> 'kind' IN ('option', 'other')
      THEN 'required_means_signed'
    ELSE 'resolution_whole' END;
  RAISE check_violation USING MESSAGE = format('new row for relation "approval" violates the rule "%s"', "broken"),
    TABLE = 'approval', CONSTRAINT = "broken";
END $$;

-- NOT VALID reads no rows under this lock. The next migration reads them.
ALTER TABLE "approval"
  DROP CONSTRAINT "approval_rules",
  ADD CONSTRAINT "approval_rules" CHECK (
    "approval_rules"("status", "resolution", "resolved_at", "expires_at", "default_option_id", "owner_only", "risk", "match", "picked",
      "simulated", "signed_by_owner")
  ) NOT VALID;
DROP FUNCTION "approval_rules"(text, json, timestamptz, timestamptz, text, boolean, text, json, text, boolean);

DROP TRIGGER "approval_content_is_immutable" ON "approval";
CREATE TRIGGER "approval_content_is_immutable"
  AFTER UPDATE OF "id", "owner_id", "app_id", "question", "options", "background_context", "recommendation", "created_at",
    "expires_at", "default_option_id", "owner_only", "risk", "facts", "fields", "match", "once", "signed_by_owner" ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was asked never changes');
