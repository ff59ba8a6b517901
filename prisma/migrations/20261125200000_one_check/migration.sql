-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- All rules of a row in one function: PostgreSQL reads and plans every CHECK anew for each statement, and six of them were two
-- fifths of what an INSERT cost. A rule that is NULL holds, as in a CHECK. Only a row that is refused is asked which rule it breaks.
CREATE FUNCTION "approval_rules"(
  "status" text, "resolution" json, "resolved_at" timestamptz, "expires_at" timestamptz, "default_option_id" text,
  "owner_only" boolean, "risk" text
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
    ELSE 'resolution_whole' END;
  RAISE check_violation USING MESSAGE = format('new row for relation "approval" violates the rule "%s"', "broken"),
    TABLE = 'approval', CONSTRAINT = "broken";
END $$;

-- NOT VALID looks through nothing, since this lock stops everybody. The next migration looks, with one that stops nobody.
ALTER TABLE "approval"
  DROP CONSTRAINT "approval_status_check",
  DROP CONSTRAINT "resolved_iff_resolution",
  DROP CONSTRAINT "resolution_whole",
  DROP CONSTRAINT "default_has_deadline",
  DROP CONSTRAINT "owner_only_means_owner",
  DROP CONSTRAINT "risk_known",
  ADD CONSTRAINT "approval_rules" CHECK (
    "approval_rules"("status", "resolution", "resolved_at", "expires_at", "default_option_id", "owner_only", "risk")
  ) NOT VALID;

-- Triggers BEFORE an UPDATE make it lock and read its row first, and make every generated column anew, whether they fire or not.
-- These refuse just as well AFTER it.
DROP TRIGGER "approval_content_is_immutable" ON "approval";
DROP TRIGGER "approval_terms_are_immutable" ON "approval";
DROP TRIGGER "approval_risk_is_immutable" ON "approval";
DROP TRIGGER "approval_resolves_once" ON "approval";
CREATE TRIGGER "approval_content_is_immutable"
  AFTER UPDATE OF "id", "owner_id", "app_id", "question", "options", "background_context", "recommendation", "created_at",
    "expires_at", "default_option_id", "owner_only", "risk" ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was asked never changes');
CREATE TRIGGER "approval_resolves_once"
  AFTER UPDATE ON "approval"
  FOR EACH ROW WHEN (OLD."status" = 'resolved') EXECUTE FUNCTION "refuse_change_but_talk"('an approval resolves exactly once');
