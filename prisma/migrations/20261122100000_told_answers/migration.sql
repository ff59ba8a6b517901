-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

ALTER TABLE "approval"
  -- Whether "countersign simulate" gave the owner's answer; NULL where it was given before this was written down.
  ADD COLUMN "simulated" boolean,
  -- Asked by an agent that finds it by its words; false once any door has told the answer, and then they are a new question.
  ADD COLUMN "untold" boolean;

-- Where an answer is told: its question is not found by its words any more. A row that is locked is passed over, so that no
-- reader waits: on a resolved approval only those who tell it at the same moment hold one, and apps that know it already.
CREATE FUNCTION "approval_told"("which" text) RETURNS text LANGUAGE sql VOLATILE AS $$
  UPDATE "approval" SET "untold" = false WHERE "id" = (SELECT "id" FROM "approval"
    WHERE "id" = "which" AND "untold" AND "status" = 'resolved' FOR NO KEY UPDATE SKIP LOCKED);
  SELECT ''
$$;

-- That, too, may still change on an approval that is resolved.
CREATE OR REPLACE FUNCTION "refuse_change_but_talk"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW."talk" IS DISTINCT FROM OLD."talk" OR (OLD."untold" AND NOT NEW."untold"))
    AND (NEW."untold" IS NOT DISTINCT FROM OLD."untold" OR NOT NEW."untold")
    AND to_jsonb(NEW) - 'talk' - 'wire' - 'untold' = to_jsonb(OLD) - 'talk' - 'wire' - 'untold' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% on % is not allowed: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;
