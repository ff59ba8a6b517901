-- additive
SET lock_timeout = '500ms';

-- A transaction that stays open, in whatever database of the server, would keep event_horizon() where it is for as long as it does. One
-- that has not touched "event" is passed over instead: from then on it is refused an event, and begins again as after a deadlock, so
-- that nothing of it can ever appear below the horizon.
CREATE FUNCTION "server_since"() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint $$;
CREATE TABLE "event_passed" (
  "xid" bigint NOT NULL,
  -- A transaction's number means this one for as long as the server runs, and another one where a dump is restored.
  "server_since" bigint NOT NULL DEFAULT "server_since"(),

  CONSTRAINT "event_passed_pkey" PRIMARY KEY ("xid")
);
-- Transactions before this one look whether they were passed over. A sequence, since what it says is seen by everybody at once.
CREATE SEQUENCE "event_fence" MINVALUE 0;

GRANT SELECT ON "event_passed", "event_fence" TO PUBLIC;

-- Where a transaction stands in the order of events, and what that adds to its number: something, where a dump of another server
-- was restored here, so that events go on after its last.
DO $$ DECLARE
  more CONSTANT bigint := event_tx()::text::bigint - pg_current_xact_id()::text::bigint;
BEGIN
  EXECUTE format('CREATE FUNCTION "event_offset"() RETURNS bigint LANGUAGE sql STABLE AS %L', ' SELECT ' || more || '::bigint ');
  EXECUTE format('CREATE FUNCTION "event_place"(xid8) RETURNS xid8 LANGUAGE sql STABLE AS %L',
    CASE more WHEN 0 THEN ' SELECT $1 ' ELSE ' SELECT ($1::text::bigint + ' || more || ')::text::xid8 ' END);
END $$;

-- Called by a statement that has locked "event" already: event_pass_over() either sees that, or is seen here.
CREATE FUNCTION "event_tx_unless_passed"() RETURNS xid8 LANGUAGE plpgsql VOLATILE AS $$ BEGIN
  -- Until nobody is about to be passed over.
  PERFORM pg_advisory_lock_shared(hashtextextended('event_passed', 0));
  PERFORM pg_advisory_unlock_shared(hashtextextended('event_passed', 0));
  -- Any other isolation would not see it.
  IF current_setting('transaction_isolation') <> 'read committed' OR EXISTS (SELECT FROM event_passed p
      WHERE p.xid = pg_current_xact_id()::text::bigint AND p.server_since = server_since()) THEN
    RAISE EXCEPTION 'This transaction was open for too long to record an event; begin it again' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN event_place(pg_current_xact_id());
END $$;

CREATE OR REPLACE FUNCTION "event_tx"() RETURNS xid8 LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN pg_current_xact_id() < pg_sequence_last_value('event_fence'::regclass)::text::xid8 THEN event_tx_unless_passed()
    ELSE event_place(pg_current_xact_id()) END
$$;

CREATE OR REPLACE FUNCTION "event_horizon"() RETURNS xid8 LANGUAGE plpgsql STABLE AS $$
DECLARE
  seen CONSTANT pg_snapshot := pg_current_snapshot();
BEGIN
  -- Asked all day, and on most servers nobody was ever passed over.
  IF pg_sequence_last_value('event_fence'::regclass) IS NULL OR NOT EXISTS (SELECT FROM event_passed) THEN
    RETURN event_place(pg_snapshot_xmin(seen));
  END IF;
  RETURN event_place(least(pg_current_xact_id_if_assigned(), coalesce((SELECT open FROM pg_snapshot_xip(seen) AS open
    WHERE NOT EXISTS (SELECT FROM event_passed p WHERE p.xid = open::text::bigint AND p.server_since = server_since()) ORDER BY open LIMIT 1),
    pg_snapshot_xmax(seen))));
END $$;

-- Pass over who holds up an event for longer than this, and forget who has ended. Returns how many were passed over.
CREATE FUNCTION "event_pass_over"("patience" interval) RETURNS int LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  held xid8;
  passed int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('event_passed', 0));
  DELETE FROM event_passed WHERE xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint OR server_since <> server_since();
  SELECT (e.tx::text::bigint - event_offset())::text::xid8 INTO held FROM event e
    WHERE e.tx >= event_horizon() AND e.created_at <= clock_timestamp() - patience ORDER BY e.tx, e.id LIMIT 1;
  IF held IS NULL THEN RETURN 0; END IF;
  -- First this, then the look: who locks "event" after the look reads this after it.
  PERFORM setval('event_fence', greatest(held::text::bigint, pg_sequence_last_value('event_fence'::regclass)));
  WITH lock AS MATERIALIZED (SELECT * FROM pg_locks)
  INSERT INTO event_passed (xid) SELECT open::text::bigint FROM pg_snapshot_xip(pg_current_snapshot()) AS open
      JOIN lock l ON l.locktype = 'transactionid' AND l.transactionid = open::xid AND l.mode = 'ExclusiveLock'
    WHERE open < held AND NOT EXISTS (SELECT FROM lock w WHERE w.virtualtransaction = l.virtualtransaction AND w.locktype = 'relation'
      AND w.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND w.relation = 'event'::regclass
      AND w.mode NOT IN ('AccessShareLock', 'RowShareLock', 'SIReadLock'))
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS passed = ROW_COUNT;
  RETURN passed;
END $$;
