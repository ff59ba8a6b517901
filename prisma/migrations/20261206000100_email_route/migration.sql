-- additive
SET lock_timeout = '500ms';

-- The owner of each email, over all shards. The table is used only in the directory.
CREATE TABLE "email_route" (
  "email" text COLLATE "C" NOT NULL,
  "owner_id" text COLLATE "C" NOT NULL,
  -- As in "owner", so that the service has one first account.
  "first" boolean,
  -- When the owner last reserved the email.
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT "email_route_pkey" PRIMARY KEY ("email")
);
CREATE INDEX "email_route_owner_id_idx" ON "email_route" ("owner_id");
CREATE UNIQUE INDEX "email_route_first_key" ON "email_route" ("first");

-- Whether an owner's data is in another database than "main". The home is in the owner's ID.
CREATE FUNCTION "owner_is_elsewhere"("owner_id" text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM "home_placement"
    WHERE "shard" <> 'main'
      AND "home" = 32 * (strpos('0123456789abcdefghijklmnopqrstuv', substr("owner_id", 15, 1)) - 1)
        + strpos('0123456789abcdefghijklmnopqrstuv', substr("owner_id", 16, 1)) - 1
  )
$$;

-- Keeps the routes of the owners in this database. The service keeps those of other owners.
CREATE FUNCTION "keep_email_route"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF "owner_is_elsewhere"(CASE TG_OP WHEN 'DELETE' THEN OLD."id" ELSE NEW."id" END) THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' THEN
    IF NEW."email" = OLD."email" THEN RETURN NULL; END IF;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM "email_route" WHERE "email" = OLD."email" AND "owner_id" = OLD."id";
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO "email_route" AS r ("email", "owner_id", "first") VALUES (NEW."email", NEW."id", NEW."first")
    ON CONFLICT ("email") DO UPDATE SET "first" = excluded."first" WHERE r."owner_id" = excluded."owner_id";
    IF NOT FOUND THEN
      RAISE unique_violation USING MESSAGE = 'another account has this email', CONSTRAINT = 'email_route_pkey';
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "owner_email_routed" AFTER INSERT OR DELETE OR UPDATE OF "email" ON "owner"
  FOR EACH ROW EXECUTE FUNCTION "keep_email_route"();
