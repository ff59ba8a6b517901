-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Constant defaults rewrite nothing; NOT VALID looks through nothing, and holds for every row that is written from now on.
ALTER TABLE "approval"
  ADD COLUMN "expires_at" timestamptz(3),
  ADD COLUMN "default_option_id" text,
  ADD COLUMN "owner_only" boolean NOT NULL DEFAULT false,
  -- Of what was asked, as approval_content_hash() makes it; NULL where it was asked before there was one.
  ADD COLUMN "content_hash" text,
  -- When it was written down that the deadline had passed. With a default this is also how it was resolved.
  ADD COLUMN "deadline_passed_at" timestamptz(3),
  ADD CONSTRAINT "default_has_deadline" CHECK ("default_option_id" IS NULL OR "expires_at" IS NOT NULL) NOT VALID,
  ADD CONSTRAINT "owner_only_means_owner" CHECK (
    NOT "owner_only" OR ("default_option_id" IS NULL AND coalesce("resolution" ->> 'resolvedBy', 'owner') = 'owner')
  ) NOT VALID;

CREATE TRIGGER "approval_terms_are_immutable" BEFORE UPDATE OF "expires_at", "default_option_id", "owner_only" ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('what was asked never changes');

-- What can still be answered, by app; what the service looks for every second; and what nobody answered in time.
CREATE INDEX "approval_open" ON "approval" ("owner_id", "app_id", "created_at" DESC, "id" DESC)
  WHERE "status" = 'pending' AND "deadline_passed_at" IS NULL;
CREATE INDEX "approval_deadline" ON "approval" ("expires_at")
  WHERE "status" = 'pending' AND "deadline_passed_at" IS NULL AND "expires_at" IS NOT NULL;
CREATE INDEX "approval_passed" ON "approval" ("owner_id", "created_at", "id")
  WHERE "status" = 'pending' AND "deadline_passed_at" IS NOT NULL;

-- SHA-256 over the RFC 8785 JSON of what was asked: keys in order, nothing between them, texts escaped as to_json() does,
-- numbers whole. "additions": an array of {text, createdAt}, oldest first, or NULL for none.
CREATE FUNCTION "approval_content_hash"(
  "question" text, "options" json, "background_context" text, "recommendation" text,
  "expires_at" timestamptz, "default_option_id" text, "owner_only" boolean, "additions" jsonb
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
          || coalesce(',"note":' || to_json(e.it ->> 'note'), '') || '}', ',' ORDER BY e.at)
        FROM json_array_elements("options") WITH ORDINALITY AS e(it, at)), '') || ']'
    || CASE WHEN "owner_only" THEN ',"ownerOnly":true' ELSE '' END
    || ',"question":' || to_json("question")
    || coalesce(',"recommendation":' || to_json("recommendation"), '')
    || '}', 'UTF8')), 'hex');
END $$;

-- What was added to a question after it was asked, in the shape that the hash takes: nothing, as long as nothing can be.
CREATE FUNCTION "approval_additions"("approval_id" text) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT NULL::jsonb $$;

-- The hash that an approval has by what stands in its row now, whatever "content_hash" says.
CREATE FUNCTION "approval_current_hash"("a" "approval") RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN "approval_content_hash"(a."question", a."options", a."background_context", a."recommendation",
    a."expires_at", a."default_option_id", a."owner_only", "approval_additions"(a."id"));
END $$;

-- Whether an approval still is what was asked and, where it is given, what its owner saw.
CREATE FUNCTION "approval_is_as_seen"("a" "approval", "seen" text) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  "hash" text := "approval_current_hash"(a);
BEGIN
  RETURN "hash" = coalesce(a."content_hash", "hash") AND "hash" = coalesce("seen", "hash");
END $$;

-- Which question a held answer answers; when it was dropped because the question had changed; and when the owner was
-- reminded of a deadline, on their browsers and by e-mail.
ALTER TABLE "approval_desk"
  ADD COLUMN "held_hash" text,
  ADD COLUMN "changed_at" timestamptz(3),
  ADD COLUMN "reminded_at" timestamptz(3),
  ADD COLUMN "remind_mailed_at" timestamptz(3);
ALTER TABLE "alert" ADD COLUMN "reminder" boolean NOT NULL DEFAULT false;

-- What receipts are signed with. The public half stays for good, so that every receipt can always be checked; the private half
-- is sealed, and gone once another key took its place.
CREATE TABLE "receipt_key" (
  "id" text COLLATE "C" PRIMARY KEY,
  "public_key" bytea NOT NULL CHECK (length("public_key") = 32),
  "sealed" bytea,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "retired_at" timestamptz(3),
  CONSTRAINT "private_until_retired" CHECK (("sealed" IS NULL) = ("retired_at" IS NOT NULL))
);
CREATE UNIQUE INDEX "receipt_key_current" ON "receipt_key" (("retired_at" IS NULL)) WHERE "retired_at" IS NULL;
