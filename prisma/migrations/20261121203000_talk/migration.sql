-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- What is said about an approval besides asking and answering it. It is only ever added to, and goes with its approval.
-- The owner asks back before they decide.
CREATE TABLE "approval_question" (
  "approval_id" text COLLATE "C" NOT NULL REFERENCES "approval" ("id") ON DELETE CASCADE,
  "owner_id" text COLLATE "C" NOT NULL,
  "nth" integer NOT NULL CHECK ("nth" BETWEEN 1 AND 20),
  "text" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- When a request that waited was answered with it: no other one returns early for its sake.
  "told_at" timestamptz(3),
  PRIMARY KEY ("approval_id", "nth")
);
CREATE INDEX "approval_question_owner_id_approval_id_nth_idx" ON "approval_question" ("owner_id", "approval_id", "nth");

-- The app adds to what it asked.
CREATE TABLE "approval_addition" (
  "approval_id" text COLLATE "C" NOT NULL REFERENCES "approval" ("id") ON DELETE CASCADE,
  "owner_id" text COLLATE "C" NOT NULL,
  "nth" integer NOT NULL CHECK ("nth" BETWEEN 1 AND 20),
  "text" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY ("approval_id", "nth")
);
CREATE INDEX "approval_addition_owner_id_approval_id_nth_idx" ON "approval_addition" ("owner_id", "approval_id", "nth");

-- The app reports what came of the answer; the latest counts.
CREATE TABLE "approval_outcome" (
  "approval_id" text COLLATE "C" NOT NULL REFERENCES "approval" ("id") ON DELETE CASCADE,
  "owner_id" text COLLATE "C" NOT NULL,
  "nth" integer NOT NULL CHECK ("nth" BETWEEN 1 AND 20),
  "status" text NOT NULL CHECK ("status" IN ('started', 'done', 'failed')),
  "text" text,
  "link" text,
  "created_at" timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY ("approval_id", "nth")
);
CREATE INDEX "approval_outcome_owner_id_approval_id_nth_idx" ON "approval_outcome" ("owner_id", "approval_id", "nth");

CREATE TRIGGER "approval_question_is_append_only"
  BEFORE UPDATE OF "approval_id", "owner_id", "nth", "text", "created_at" ON "approval_question"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was said never changes');
CREATE TRIGGER "approval_addition_is_append_only" BEFORE UPDATE ON "approval_addition"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was said never changes');
CREATE TRIGGER "approval_outcome_is_append_only" BEFORE UPDATE ON "approval_outcome"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was said never changes');

CREATE FUNCTION "refuse_deletion_alone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "approval" WHERE "id" = OLD."approval_id") THEN
    RAISE EXCEPTION 'DELETE on % is not allowed: what was said stays with its approval', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER "approval_question_stays" BEFORE DELETE ON "approval_question"
  FOR EACH ROW EXECUTE FUNCTION "refuse_deletion_alone"();
CREATE TRIGGER "approval_addition_stays" BEFORE DELETE ON "approval_addition"
  FOR EACH ROW EXECUTE FUNCTION "refuse_deletion_alone"();
CREATE TRIGGER "approval_outcome_stays" BEFORE DELETE ON "approval_outcome"
  FOR EACH ROW EXECUTE FUNCTION "refuse_deletion_alone"();

-- What was added, in the shape that the hash of what was asked takes; NULL for nothing.
CREATE OR REPLACE FUNCTION "approval_additions"("approval_id" text) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT jsonb_agg(jsonb_build_object('text', t."text", 'createdAt', (date_part('epoch', t."created_at") * 1000)::bigint) ORDER BY t."nth")
  FROM "approval_addition" AS t WHERE t."approval_id" = $1
$$;

-- The same as the API tells it, beside "wire": most approvals have none, and a list must not look into three more tables for
-- each of its rows. Kept by the tables themselves, so that it cannot say anything else than they do.
ALTER TABLE "approval" ADD COLUMN "talk" text;

CREATE FUNCTION "approval_talk"("which" text) RETURNS text LANGUAGE sql STABLE AS $$
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
      FROM "approval_outcome" WHERE "approval_id" = "which" ORDER BY "nth" DESC LIMIT 1)
  ), '')
$$;

CREATE FUNCTION "keep_talk"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "approval" SET "talk" = "approval_talk"("id") WHERE "id" = NEW."approval_id";
  RETURN NULL;
END $$;
CREATE TRIGGER "approval_question_is_told" AFTER INSERT ON "approval_question" FOR EACH ROW EXECUTE FUNCTION "keep_talk"();
CREATE TRIGGER "approval_addition_is_told" AFTER INSERT ON "approval_addition" FOR EACH ROW EXECUTE FUNCTION "keep_talk"();
CREATE TRIGGER "approval_outcome_is_told" AFTER INSERT ON "approval_outcome" FOR EACH ROW EXECUTE FUNCTION "keep_talk"();

-- An approval that is resolved stays as it is in everything but this. ("wire" follows from the rest, after this trigger.)
CREATE FUNCTION "refuse_change_but_talk"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."talk" IS DISTINCT FROM OLD."talk" AND to_jsonb(NEW) - 'talk' - 'wire' = to_jsonb(OLD) - 'talk' - 'wire' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% on % is not allowed: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER "approval_resolves_once" ON "approval";
CREATE TRIGGER "approval_resolves_once"
  BEFORE UPDATE ON "approval"
  FOR EACH ROW WHEN (OLD."status" = 'resolved') EXECUTE FUNCTION "refuse_change_but_talk"('an approval resolves exactly once');

-- Since when the owner waits for the app: the question stands aside, and counts as asked anew when the app has added to it.
ALTER TABLE "approval_desk" ADD COLUMN "asked_back_at" timestamptz(3);
CREATE INDEX "approval_desk_asked_back" ON "approval_desk" ("asked_back_at") WHERE "asked_back_at" IS NOT NULL;
