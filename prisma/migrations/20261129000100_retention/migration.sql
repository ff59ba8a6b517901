-- additive
SET lock_timeout = '2s';

-- For how long things are kept, in days; NULL is for ever. Written as the service begins by whom the tables belong to, and by
-- nobody else: what may be removed is the operator's word, and not that of whoever gets at the service's statements.
CREATE TABLE "retention" (
  "id" integer PRIMARY KEY CHECK ("id" = 1),
  "event_days" integer CHECK ("event_days" >= 7),
  "answered_days" integer CHECK ("answered_days" >= 7),
  -- What comes before it in the log is in its owners' archives.
  "archived_upto" bigint NOT NULL DEFAULT 0
);
INSERT INTO "retention" ("id") VALUES (1);

-- The last event of an owner that went into an archive: of one app, of one linked account, or with '' of all. Whoever goes on
-- from an event that is gone is told whether they missed any.
CREATE TABLE "event_removed" (
  "owner_id" text COLLATE "C" NOT NULL,
  "whose" text COLLATE "C" NOT NULL,
  "tx" xid8 NOT NULL,
  "event_id" bigint NOT NULL,
  PRIMARY KEY ("owner_id", "whose")
);

-- What was removed, for its owner to download for a while: lines of JSON, compressed. In the database, since copies share no disk.
CREATE TABLE "archive_part" (
  "id" bigserial PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  -- `events` or `answers`.
  "kind" text NOT NULL,
  "rows" integer NOT NULL,
  "first_at" timestamptz(3) NOT NULL,
  "last_at" timestamptz(3) NOT NULL,
  "data" bytea NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now()
);
-- It is compressed already.
ALTER TABLE "archive_part" ALTER COLUMN "data" SET STORAGE EXTERNAL;
CREATE INDEX "archive_part_owner_id_id_idx" ON "archive_part" ("owner_id", "id");
CREATE INDEX "archive_part_created_at_idx" ON "archive_part" ("created_at");

-- What is older than this may go: whole days, so that what goes is gathered into one archive a day.
CREATE FUNCTION "kept_since"("days" integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_trunc('day', now(), 'UTC') - make_interval(days => "days")
$$;

CREATE FUNCTION "refuse_event_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD."created_at" < (SELECT "kept_since"("event_days") FROM "retention") THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% on % is not allowed: events are append-only', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER "event_is_append_only" ON "event";
CREATE TRIGGER "event_is_append_only" BEFORE UPDATE OR DELETE ON "event"
  FOR EACH ROW EXECUTE FUNCTION "refuse_event_change"();

-- The partitions of the log in their order. "ends" is the first id that is not in it, NULL for the last one.
CREATE VIEW "event_partition" AS
SELECT c.oid::regclass AS "name", b.bounds[1]::bigint AS "begins", b.bounds[2]::bigint AS "ends"
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT regexp_match(pg_get_expr(c.relpartbound, c.oid),
    'FROM \((?:MINVALUE|''?(\d+)''?)\) TO \((?:MAXVALUE|''?(\d+)''?)\)') AS bounds) AS b
WHERE i.inhparent = 'event'::regclass;

-- Remove some of what the operator keeps no longer and its owner has in an archive: a partition of which nothing is needed as a
-- whole, and otherwise a thousand rows. What is needed is the history of an approval that still waits. A partition that is
-- closed is not nibbled at until all of it may go.
CREATE FUNCTION "remove_events"() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
  SET search_path FROM CURRENT SET lock_timeout = '500ms' AS $$
DECLARE
  "kept" record;
  "part" record;
  "stays" boolean;
  "gone" bigint;
BEGIN
  SELECT "archived_upto", "kept_since"("event_days") AS "since" INTO "kept" FROM "retention";
  IF "kept"."since" IS NULL THEN
    RETURN 0;
  END IF;
  FOR "part" IN SELECT * FROM "event_partition" ORDER BY "ends" NULLS LAST LOOP
    CONTINUE WHEN "part"."ends" > "kept"."archived_upto" + 1;
    IF "part"."ends" IS NOT NULL THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE "created_at" >= $1)', "part"."name") INTO "stays" USING "kept"."since";
      CONTINUE WHEN "stays";
      EXECUTE format('SELECT EXISTS (SELECT FROM "approval" a JOIN %s e ON e."subject" = a."id" WHERE a."status" = ''pending'')',
        "part"."name") INTO "stays";
      IF NOT "stays" THEN
        SELECT greatest(reltuples, 1)::bigint INTO "gone" FROM pg_class WHERE oid = "part"."name";
        EXECUTE format('DROP TABLE %s', "part"."name");
        RETURN "gone";
      END IF;
    END IF;
    EXECUTE format('DELETE FROM %1$s WHERE "id" = ANY (ARRAY(
        SELECT e."id" FROM %1$s e WHERE e."id" <= $1 AND e."created_at" < $2
          AND NOT EXISTS (SELECT FROM "approval" a WHERE a."id" = e."subject" AND a."status" = ''pending'')
        ORDER BY e."id" LIMIT 1000 FOR UPDATE SKIP LOCKED))', "part"."name") USING "kept"."archived_upto", "kept"."since";
    GET DIAGNOSTICS "gone" = ROW_COUNT;
    IF "gone" > 0 THEN
      RETURN "gone";
    END IF;
  END LOOP;
  RETURN 0;
END $$;

-- Begin a new partition, once the last one has so many events and was begun in an earlier month. In three steps, each a
-- transaction, so that nobody waits while the rows are looked through:
-- 'close' says that the last one takes no ids beyond a million from here, 'check' looks that it has none, 'begin' ends it there
-- and goes on with a new one. 'open' takes back the first. Ids are left out between the two; the order stays.
CREATE FUNCTION "cut_events"("step" text, "least" bigint DEFAULT 1000000) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
  SET search_path FROM CURRENT SET lock_timeout = '500ms' AS $$
DECLARE
  "part" record;
  "began" timestamptz;
  "first" bigint;
  "end" bigint;
  "new" text;
BEGIN
  -- Another copy may be at it.
  IF NOT pg_try_advisory_xact_lock(4600205) THEN
    RETURN false;
  END IF;
  SELECT * INTO "part" FROM "event_partition" WHERE "ends" IS NULL;
  SELECT substring(pg_get_constraintdef(oid) FROM '\d+')::bigint INTO "end" FROM pg_constraint
    WHERE conrelid = "part"."name" AND conname = 'event_ends';
  IF "step" IN ('close', 'open') AND "end" IS NOT NULL THEN
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT "event_ends"', "part"."name");
  END IF;
  IF "step" = 'close' THEN
    EXECUTE format('SELECT "created_at", "id" FROM %s ORDER BY "id" LIMIT 1', "part"."name") INTO "began", "first";
    SELECT last_value INTO "end" FROM "event_id_seq";
    IF "began" IS NULL OR "began" >= date_trunc('month', now(), 'UTC') OR "end" - "first" + 1 < "least" THEN
      RETURN false;
    END IF;
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT "event_ends" CHECK ("id" < %s) NOT VALID', "part"."name", "end" + 1000000);
  ELSIF "step" = 'check' AND "end" IS NOT NULL THEN
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT "event_ends"', "part"."name");
  ELSIF "step" = 'begin' AND "end" IS NOT NULL THEN
    "new" := format('event_%s_%s', to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM'), "end");
    LOCK TABLE ONLY "event" IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('ALTER TABLE "event" DETACH PARTITION %s', "part"."name");
    EXECUTE format('ALTER TABLE "event" ATTACH PARTITION %s FOR VALUES FROM (%s) TO (%s)', "part"."name",
      coalesce("part"."begins"::text, 'MINVALUE'), "end");
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT "event_ends"', "part"."name");
    EXECUTE format('CREATE TABLE %I (LIKE "event" INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', "new");
    EXECUTE format('ALTER TABLE "event" ATTACH PARTITION %I FOR VALUES FROM (%s) TO (MAXVALUE)', "new", "end");
    EXECUTE format('CREATE TRIGGER "event_is_never_emptied" BEFORE TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"(''events are append-only'')', "new");
    PERFORM setval('event_id_seq', "end", false);
  END IF;
  RETURN "end" IS NOT NULL;
END $$;
