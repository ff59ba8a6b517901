-- additive
SET lock_timeout = '500ms';

-- "once": the owner may withdraw the answer until it is used.
ALTER TABLE "approval" ADD COLUMN "once" boolean NOT NULL DEFAULT false;

-- The use of an owner's answer, or its withdrawal. The primary key lets exactly one of them succeed. "used_by": "app" for the app that
-- asked, "receipt" for a program with the receipt. "receipt" is the signed statement of the use, which a repeated request gets again.
-- "refused_at": when a refused further use was last recorded.
CREATE TABLE "approval_use" (
  "approval_id" text COLLATE "C" PRIMARY KEY REFERENCES "approval" ("id") ON DELETE CASCADE,
  "owner_id" text COLLATE "C" NOT NULL,
  "kind" text NOT NULL CHECK ("kind" IN ('used', 'withdrawn')),
  "used_by" text CHECK ("used_by" IN ('app', 'receipt')),
  "key_hash" bytea,
  "receipt" text,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  "refused_at" timestamptz(3),
  CONSTRAINT "approval_use_whole" CHECK (
    ("kind" = 'used') = ("used_by" IS NOT NULL) AND ("kind" = 'used') = ("key_hash" IS NOT NULL) AND ("kind" = 'used') = ("receipt" IS NOT NULL)
  )
);
CREATE INDEX "approval_use_owner_id_approval_id_idx" ON "approval_use" ("owner_id", "approval_id");
CREATE TRIGGER "approval_use_is_final"
  BEFORE UPDATE OF "approval_id", "owner_id", "kind", "used_by", "key_hash", "receipt", "created_at" ON "approval_use"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('a use or a withdrawal is final');
CREATE TRIGGER "approval_use_stays" BEFORE DELETE ON "approval_use"
  FOR EACH ROW EXECUTE FUNCTION "refuse_deletion_alone"();

-- As before, with the use or the withdrawal.
CREATE OR REPLACE FUNCTION "approval_talk"("which" text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT nullif(concat(
    (SELECT ',"additions":[' || string_agg('{"text":' || to_json("text") || ',"createdAt":'
        || (date_part('epoch', "created_at") * 1000)::bigint || '}', ',' ORDER BY "nth") || ']'
      FROM "approval_addition" WHERE "approval_id" = "which"),
    (SELECT ',"questions":[' || string_agg('{"text":' || to_json("text") || ',"createdAt":'
        || (date_part('epoch', "created_at") * 1000)::bigint || '}', ',' ORDER BY "nth") || ']'
      FROM "approval_question" WHERE "approval_id" = "which"),
    (SELECT ',"outcome":{"status":"' || "status" || '"' || coalesce(',"text":' || to_json("text"), '')
        || coalesce(',"link":' || to_json("link"), '') || ',"reportedAt":'
        || (date_part('epoch', "created_at") * 1000)::bigint || '}'
      FROM "approval_outcome" WHERE "approval_id" = "which" ORDER BY "nth" DESC LIMIT 1),
    (SELECT CASE "kind" WHEN 'used' THEN ',"usedAt":' ELSE ',"withdrawnAt":' END || (date_part('epoch', "created_at") * 1000)::bigint
      FROM "approval_use" WHERE "approval_id" = "which")
  ), '')
$$;
CREATE TRIGGER "approval_use_is_told" AFTER INSERT ON "approval_use" FOR EACH ROW EXECUTE FUNCTION "keep_talk"();

-- As before, with "once". Without it the hash is what it was.
CREATE FUNCTION "approval_content_hash"(
  "question" text, "options" json, "background_context" text, "recommendation" text,
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "risk" text, "facts" json, "once" boolean, "additions" jsonb
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
    || CASE WHEN "once" THEN '"once":true,' ELSE '' END
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
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "risk" text, "facts" json, "additions" jsonb
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"("question", "options", "background_context", "recommendation",
    "expires_at", "default_option_id", "owner_only", "risk", "facts", false, "additions");
END $$;

CREATE OR REPLACE FUNCTION "approval_current_hash"("a" "approval") RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"(a."question", a."options", a."background_context", a."recommendation",
    a."expires_at", a."default_option_id", a."owner_only", a."risk", a."facts", a."once", "approval_additions"(a."id"));
END $$;

DROP TRIGGER "approval_content_is_immutable" ON "approval";
CREATE TRIGGER "approval_content_is_immutable"
  AFTER UPDATE OF "id", "owner_id", "app_id", "question", "options", "background_context", "recommendation", "created_at",
    "expires_at", "default_option_id", "owner_only", "risk", "facts", "match", "once" ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was asked never changes');

-- The same view, with "data", so that the service can mark a notification as important.
CREATE OR REPLACE VIEW "own_notification" AS
SELECT "id", "owner_id", "app_id", "title", "body", "type", "data" FROM "notification" WHERE "app_id" = 'countersign'
WITH CHECK OPTION;
