-- additive
SET lock_timeout = '500ms';

-- "fields": {"order": the names in the order in which pages show them, "schema": the canonical JSON that the hash covers}; NULL for none.
ALTER TABLE "approval" ADD COLUMN "fields" json;

-- As before, with "fields" and the options' "fields". Without them the hash is what it was.
CREATE FUNCTION "approval_content_hash"(
  "question" text, "options" json, "background_context" text, "recommendation" text,
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "risk" text, "facts" json, "fields" json, "once" boolean,
  "additions" jsonb
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
    || '}', 'UTF8')), 'hex');
END $$;

-- For instances of the previous version.
CREATE OR REPLACE FUNCTION "approval_content_hash"(
  "question" text, "options" json, "background_context" text, "recommendation" text,
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "risk" text, "facts" json, "once" boolean, "additions" jsonb
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"("question", "options", "background_context", "recommendation",
    "expires_at", "default_option_id", "owner_only", "risk", "facts", NULL::json, "once", "additions");
END $$;

CREATE OR REPLACE FUNCTION "approval_current_hash"("a" "approval") RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"(a."question", a."options", a."background_context", a."recommendation",
    a."expires_at", a."default_option_id", a."owner_only", a."risk", a."facts", a."fields", a."once", "approval_additions"(a."id"));
END $$;

DROP TRIGGER "approval_content_is_immutable" ON "approval";
CREATE TRIGGER "approval_content_is_immutable"
  AFTER UPDATE OF "id", "owner_id", "app_id", "question", "options", "background_context", "recommendation", "created_at",
    "expires_at", "default_option_id", "owner_only", "risk", "facts", "fields", "match", "once" ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was asked never changes');

