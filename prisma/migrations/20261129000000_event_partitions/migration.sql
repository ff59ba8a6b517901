-- additive
SET lock_timeout = '2s';

-- The log in partitions, so that what is old enough goes as a whole. By "id" and not by "created_at": ids rise with time, and a
-- partition is begun with a month (lib/events/partitions.ts), so a partition is a month all the same; but the primary key and
-- every index stay what they are, and whoever goes on from an event finds out by its id which partitions to leave out.
--
-- Nothing is read or written here but the catalogue, whatever the log holds: what there is becomes the first partition, for
-- all ids, and has every index already that the whole asks for. It is open at its end, as the last one always is, so that an
-- INSERT never fails for want of a partition.
DO $$
DECLARE
  "indexes" text[];
  "triggers" text[];
  "statement" text;
  "it" record;
BEGIN
  LOCK TABLE "event" IN ACCESS EXCLUSIVE MODE;
  SELECT array_agg(pg_get_indexdef(indexrelid)) INTO "indexes" FROM pg_index WHERE indrelid = 'event'::regclass AND NOT indisprimary;
  SELECT array_agg(pg_get_triggerdef(oid)) INTO "triggers" FROM pg_trigger WHERE tgrelid = 'event'::regclass AND NOT tgisinternal;

  FOR "it" IN SELECT tgname FROM pg_trigger WHERE tgrelid = 'event'::regclass AND NOT tgisinternal LOOP
    EXECUTE format('DROP TRIGGER %I ON "event"', "it".tgname);
  END LOOP;
  ALTER TABLE "event" RENAME CONSTRAINT "event_pkey" TO "event_first_pkey";
  FOR "it" IN SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE indrelid = 'event'::regclass AND NOT indisprimary LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', "it".relname, replace("it".relname, 'event_', 'event_first_'));
  END LOOP;
  ALTER TABLE "event" RENAME TO "event_first";

  CREATE TABLE "event" (LIKE "event_first" INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE ("id");
  ALTER TABLE "event" ADD CONSTRAINT "event_pkey" PRIMARY KEY ("id");
  FOREACH "statement" IN ARRAY "indexes" || "triggers" LOOP
    EXECUTE "statement";
  END LOOP;
  ALTER TABLE "event" ATTACH PARTITION "event_first" FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
  CREATE TRIGGER "event_is_never_emptied" BEFORE TRUNCATE ON "event_first"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('events are append-only');
  ALTER SEQUENCE "event_id_seq" OWNED BY "event"."id";

  -- Roles that may use the one may use the other.
  FOR "it" IN SELECT a.grantee, a.privilege_type, a.is_grantable FROM pg_class c, aclexplode(c.relacl) AS a
      WHERE c.oid = 'event_first'::regclass AND a.grantee <> c.relowner LOOP
    EXECUTE format('GRANT %s ON "event" TO %s%s', "it".privilege_type,
      CASE WHEN "it".grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid("it".grantee)) END,
      CASE WHEN "it".is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
END $$;
