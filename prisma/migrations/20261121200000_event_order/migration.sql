-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- The order in which apps are told of events. Ids are given out inside transactions that may commit the other way round, so
-- who reads up to the highest id would pass one that appears later. Read in the order of (tx, id), and only what is below
-- event_horizon(): no transaction that is still open can put anything there.
CREATE FUNCTION "event_tx"() RETURNS xid8 LANGUAGE sql VOLATILE AS $$ SELECT pg_current_xact_id() $$;
CREATE FUNCTION "event_horizon"() RETURNS xid8 LANGUAGE sql STABLE AS $$ SELECT pg_snapshot_xmin(pg_current_snapshot()) $$;

-- What there is already comes before everything else, by its id. In two steps: a constant default rewrites nothing.
ALTER TABLE "event" ADD COLUMN "tx" xid8 NOT NULL DEFAULT '0';
ALTER TABLE "event" ALTER COLUMN "tx" SET DEFAULT "event_tx"();
CREATE INDEX "event_owner_id_app_id_tx_id_idx" ON "event" ("owner_id", "app_id", "tx", "id");
