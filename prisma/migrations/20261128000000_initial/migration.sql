-- not additive: this is the first migration
SET lock_timeout = '500ms';

-- The schema of Countersign, ordered by domain. `schema.prisma` describes the columns.
--
-- IDs are text in the order of bytes (COLLATE "C"). Times have milliseconds, as in the API. Each
-- function sets its search path, so that it also works in a restored dump and for every role.
-- `placed_homes` comes first, because its views hide the owners who are moving to another shard
-- (lib/database/shards/moves/hidden-homes.ts). A function with RETURN instead of a text is bound to
-- its tables and functions when it is created, and PostgreSQL can inline it.

-- ------------------------------------------------------------------------------------------
-- Functions of triggers in several domains
-- ------------------------------------------------------------------------------------------

-- Rejects a change. The trigger's argument is the reason.
CREATE FUNCTION refuse_change() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION '% on % is not allowed: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0]
    USING ERRCODE = 'restrict_violation';
END;
$$;

-- Requires the owner of a row, like a foreign key, unless the owner is on another shard.
CREATE FUNCTION require_owner() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  PERFORM FROM owner WHERE id = NEW.owner_id FOR KEY SHARE;
  IF NOT FOUND AND NOT owner_is_elsewhere(NEW.owner_id) THEN
    RAISE foreign_key_violation USING
      MESSAGE = format('insert or update on table "%s" names an owner that does not exist',
        TG_TABLE_NAME),
      TABLE = TG_TABLE_NAME, COLUMN = 'owner_id';
  END IF;
  RETURN NULL;
END;
$$;

-- ------------------------------------------------------------------------------------------
-- Shards
-- ------------------------------------------------------------------------------------------

-- A PostgreSQL database that stores owners. `main` is the directory, the database of this table.
CREATE TABLE shard (
  name text COLLATE "C" PRIMARY KEY,
  number integer NOT NULL,
  added_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT shard_name CHECK (name ~ '^[a-z][a-z0-9_]{0,30}$'),
  CONSTRAINT shard_number CHECK (number BETWEEN 0 AND 63)
);
CREATE UNIQUE INDEX shard_number_key ON shard (number);

-- The shard of a home. A home without a row is on `main`.
CREATE TABLE home_placement (
  home integer PRIMARY KEY,
  shard text COLLATE "C" NOT NULL REFERENCES shard (name),
  state text COLLATE "C" NOT NULL DEFAULT 'placed',
  moving_to text COLLATE "C" REFERENCES shard (name),
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT home_placement_home CHECK (home BETWEEN 0 AND 1023),
  CONSTRAINT home_placement_state CHECK (state IN ('placed', 'copying', 'paused'))
);

-- The number of changes to shards and homes. There is one row.
CREATE TABLE placement_version (
  id integer PRIMARY KEY,
  version bigint NOT NULL,
  CONSTRAINT placement_version_id CHECK (id = 1)
);

-- The version of the placement that a running instance uses.
CREATE TABLE instance_placement (
  instance text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL,
  seen_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Gives each change of the placement a new version, and notifies the instances.
CREATE FUNCTION count_placement_change() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  UPDATE placement_version SET version = version + 1;
  PERFORM pg_notify('countersign_news', 'directory placement');
  RETURN NULL;
END;
$$;

-- Instances learn of each change.
CREATE TRIGGER shard_counted
  AFTER INSERT OR DELETE OR UPDATE ON shard
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_placement_change();

CREATE TRIGGER home_placement_counted
  AFTER INSERT OR DELETE OR UPDATE ON home_placement
  FOR EACH STATEMENT
  EXECUTE FUNCTION count_placement_change();

-- The highest number of all shards so far. A removed shard's number stays in IDs, so no other shard
-- gets it.
CREATE SEQUENCE shard_number MINVALUE 0;

INSERT INTO shard (name, number) VALUES ('main', 0);
INSERT INTO placement_version (id, version) VALUES (1, 1);
SELECT setval('shard_number', 0);

-- Whether an owner's home is on another shard. The home is two base32hex digits of the ID.
CREATE FUNCTION owner_is_elsewhere(owner_id text) RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path = placed_homes, public, pg_temp
AS $$
  SELECT EXISTS (
    SELECT FROM home_placement
    WHERE shard <> 'main'
      AND home = 32 * (strpos('0123456789abcdefghijklmnopqrstuv', substr(owner_id, 15, 1)) - 1)
        + strpos('0123456789abcdefghijklmnopqrstuv', substr(owner_id, 16, 1)) - 1
  )
$$;

-- ------------------------------------------------------------------------------------------
-- Keys
-- ------------------------------------------------------------------------------------------

-- A data key that encrypts stored secrets. It is encrypted with a key that the database never
-- stores.
CREATE TABLE data_key (
  id text COLLATE "C" PRIMARY KEY,
  wrapped bytea NOT NULL,
  wrapped_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  retired_at timestamptz(3)
);
-- At max_open one key encrypts new values.
CREATE UNIQUE INDEX data_key_current ON data_key ((true))
  WHERE retired_at IS NULL;

-- Keys that stay the same when the operator replaces SECRET, encrypted under the current SECRET.
CREATE TABLE retained_key (
  purpose text COLLATE "C" PRIMARY KEY,
  sealed bytea NOT NULL,
  sealed_at timestamptz(3) NOT NULL DEFAULT now()
);

-- A check value that identifies the service's secret.
CREATE TABLE secret_check (
  id integer PRIMARY KEY CHECK (id = 1),
  value text NOT NULL
);

-- Keys that sign receipts (Ed25519). Public keys are kept permanently. A private key is encrypted,
-- and erased once retired. Others may have had a revoked key since `revoked_since`.
CREATE TABLE receipt_key (
  id text COLLATE "C" PRIMARY KEY,
  public_key bytea NOT NULL CHECK (length(public_key) = 32),
  sealed bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  retired_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_since timestamptz(3),
  CONSTRAINT private_until_retired CHECK ((sealed IS NULL) = (retired_at IS NOT NULL)),
  CONSTRAINT revoked_is_retired
    CHECK (
      (revoked_at IS NULL) = (revoked_since IS NULL)
      AND (revoked_at IS NULL OR retired_at IS NOT NULL)
    )
);
-- At max_open one key signs receipts.
CREATE UNIQUE INDEX receipt_key_current ON receipt_key (((retired_at IS NULL)))
  WHERE retired_at IS NULL;

-- ------------------------------------------------------------------------------------------
-- Owners
-- ------------------------------------------------------------------------------------------

-- A person with an account.
CREATE TABLE owner (
  id text COLLATE "C" PRIMARY KEY,
  email text NOT NULL CHECK (email = lower(email)) UNIQUE,
  name text NOT NULL,
  password_hash text NOT NULL,
  session_version integer NOT NULL DEFAULT 1,
  -- The unique key allows only one first account.
  first boolean CHECK (first) UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  notifications_seen_at timestamptz(3),
  confirmed_email text
);

-- The owner of an email, over all shards. A trigger on `owner` keeps the rows of owners in the same
-- database. Only the directory's rows are used.
CREATE TABLE email_route (
  email text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL,
  first boolean,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX email_route_owner_id_idx ON email_route (owner_id);
CREATE UNIQUE INDEX email_route_first_key ON email_route (first);

-- Keeps the route of an owner's email. For owners on other shards, the service keeps it.
CREATE FUNCTION keep_email_route() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  IF owner_is_elsewhere(CASE TG_OP WHEN 'DELETE' THEN OLD.id ELSE NEW.id END) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF NEW.email = OLD.email THEN RETURN NULL; END IF;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM email_route WHERE email = OLD.email AND owner_id = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO email_route AS r (email, owner_id, first) VALUES (NEW.email, NEW.id, NEW.first)
    ON CONFLICT (email) DO UPDATE SET first = excluded.first WHERE r.owner_id = excluded.owner_id;
    IF NOT FOUND THEN
      RAISE unique_violation
        USING MESSAGE = 'another account has this email', CONSTRAINT = 'email_route_pkey';
    END IF;
  END IF;
  RETURN NULL;
END;
$$;

-- Keeps the routes of owners in this database.
CREATE TRIGGER owner_email_routed
  AFTER INSERT OR DELETE OR UPDATE OF email ON owner
  FOR EACH ROW
  EXECUTE FUNCTION keep_email_route();

-- An owner's own settings. Without a row, the defaults apply.
CREATE TABLE owner_settings (
  owner_id text COLLATE "C" PRIMARY KEY REFERENCES owner (id),
  undo_seconds integer NOT NULL DEFAULT 0 CHECK (undo_seconds IN (0, 5, 10, 30)),
  always_confirm boolean NOT NULL DEFAULT false,
  single_keys boolean NOT NULL DEFAULT true,
  theme text NOT NULL DEFAULT 'system' CHECK (theme IN ('system', 'light', 'dark')),
  density text NOT NULL DEFAULT 'comfortable' CHECK (density IN ('comfortable', 'compact')),
  motion text NOT NULL DEFAULT 'system' CHECK (motion IN ('system', 'reduced')),
  time_zone text NOT NULL DEFAULT 'UTC',
  quiet_from integer CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_until integer CHECK (quiet_until BETWEEN 0 AND 1439),
  quiet_days integer[] NOT NULL DEFAULT '{0,1,2,3,4,5,6}'::integer[],
  quiet_breakthrough boolean NOT NULL DEFAULT true,
  lock_screen text NOT NULL DEFAULT 'private' CHECK (lock_screen IN ('private', 'full')),
  email_alerts boolean NOT NULL DEFAULT true,
  email_after_minutes integer NOT NULL DEFAULT 10
    CHECK (email_after_minutes BETWEEN 1 AND 1440),
  first_steps_done_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  zone_known boolean NOT NULL DEFAULT false,
  undo_known boolean NOT NULL DEFAULT false,
  answer_from_alerts boolean NOT NULL DEFAULT false,
  email_answers boolean NOT NULL DEFAULT false,
  sign_answers boolean NOT NULL DEFAULT false,
  CONSTRAINT owner_settings_check CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
);

-- A browser in which an owner signed in. Its ID is in the browser's encrypted cookie and grants
-- nothing on its own.
CREATE TABLE owner_session (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  method text NOT NULL
    CHECK (
      method IN (
        'password', 'passkey', 'recovery_code', 'email_link', 'reset_link', 'phone_link'
      )
    ),
  device text NOT NULL,
  address text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  signed_in_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);
CREATE INDEX owner_session_owner_id_idx ON owner_session (owner_id);
CREATE INDEX owner_session_expires_at_idx ON owner_session (expires_at);
-- For the sweeper, like the other indexes of times.
CREATE INDEX owner_session_ended_at ON owner_session (ended_at)
  WHERE ended_at IS NOT NULL;

-- A WebAuthn credential. `id` is the credential's own ID, in base64url.
CREATE TABLE passkey (
  id text COLLATE "C" PRIMARY KEY CHECK (length(id) <= 1400),
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  name text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  synced boolean
);
CREATE INDEX passkey_owner_id_idx ON passkey (owner_id);

-- The public key of a removed passkey, so that the answers that it signed stay verifiable.
CREATE TABLE removed_passkey (
  id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  public_key bytea NOT NULL,
  synced boolean,
  since timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_id, id, since)
);

-- Answers that it signed must stay verifiable.
CREATE TRIGGER removed_passkey_is_final
  BEFORE UPDATE ON removed_passkey
  FOR EACH ROW
  EXECUTE FUNCTION refuse_change('a removed passkey never changes');

-- A challenge that a passkey must sign once, within five minutes. Using it deletes it.
CREATE TABLE passkey_challenge (
  hash bytea PRIMARY KEY,
  owner_id text COLLATE "C",
  purpose text NOT NULL CHECK (purpose IN ('register', 'sign_in', 'answer')),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX passkey_challenge_expires_at_idx ON passkey_challenge (expires_at);

CREATE TRIGGER passkey_challenge_requires_owner
  AFTER INSERT OR UPDATE OF owner_id ON passkey_challenge
  FOR EACH ROW WHEN (new.owner_id IS NOT NULL)
  EXECUTE FUNCTION require_owner();

-- A one-time recovery code, for a sign-in without the password. Stored only as a peppered hash.
CREATE TABLE recovery_code (
  hash bytea PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  used_at timestamptz(3)
);
CREATE INDEX recovery_code_owner_id_idx ON recovery_code (owner_id);

-- A one-time sign-in link that is valid for minutes. The link is sent by email, created by the
-- operator, or shown for the owner's phone. It is stored only as a peppered hash.
CREATE TABLE sign_in_link (
  hash bytea PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  email text
);
CREATE INDEX sign_in_link_owner_id_idx ON sign_in_link (owner_id);
CREATE INDEX sign_in_link_expires_at_idx ON sign_in_link (expires_at);

-- Failed sign-ins at an account, counted per minute and method.
CREATE TABLE failed_sign_in (
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  step text NOT NULL CHECK (step IN ('password', 'recovery_code', 'passkey', 'again')),
  minute timestamptz(3) NOT NULL,
  count integer NOT NULL DEFAULT 1 CHECK (count > 0),
  address text NOT NULL,
  elsewhere boolean NOT NULL DEFAULT false,
  written_at timestamptz(3),
  seen_at timestamptz(3),
  mailed_at timestamptz(3),
  PRIMARY KEY (owner_id, step, minute)
);
CREATE INDEX failed_sign_in_minute_idx ON failed_sign_in (minute);
-- Failed sign-ins that are not in the activity yet.
CREATE INDEX failed_sign_in_unwritten ON failed_sign_in (minute)
  WHERE written_at IS NULL;

-- Failed attempts per key (an account, an address) in a sliding window, shared by all instances.
CREATE TABLE throttle (
  key text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX throttle_expires_at_idx ON throttle (expires_at);

-- ------------------------------------------------------------------------------------------
-- Events
-- ------------------------------------------------------------------------------------------

-- What the position of an event adds to the number of its transaction. The service replaces both
-- functions after the restore of a dump (lib/events/restore-offset.ts).
CREATE FUNCTION event_offset() RETURNS bigint
  LANGUAGE sql STABLE
  RETURN 0::bigint;

-- The position of a transaction in the order of events.
CREATE FUNCTION event_place(xid8) RETURNS xid8
  LANGUAGE sql STABLE
  RETURN $1;

-- The start of the server, in microseconds.
CREATE FUNCTION server_since() RETURNS bigint
  LANGUAGE sql STABLE
  RETURN (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint;

-- A transaction that may no longer record events, so that other events need not wait for it.
CREATE TABLE skipped_transaction (
  xid bigint PRIMARY KEY,
  -- A transaction's number belongs to this start of the server. In a restored dump, the same number
  -- belongs to another transaction.
  server_since bigint NOT NULL DEFAULT server_since()
);

-- Transactions below this number check whether they were skipped. A sequence, because every
-- transaction immediately sees a change of it.
CREATE SEQUENCE event_fence MINVALUE 0;
GRANT SELECT ON skipped_transaction, event_fence TO PUBLIC;

-- The position of the current transaction. Its statement has already locked `event`, so
-- skip_idle_transactions() either sees that lock, or is seen here.
CREATE FUNCTION event_tx_unless_skipped() RETURNS xid8
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  -- Waits until no transaction is about to be skipped.
  PERFORM pg_advisory_lock_shared(hashtextextended('skipped_transaction', 0));
  PERFORM pg_advisory_unlock_shared(hashtextextended('skipped_transaction', 0));
  -- Only "read committed" sees the latest row.
  IF current_setting('transaction_isolation') <> 'read committed' OR EXISTS (
    SELECT FROM skipped_transaction p
    WHERE p.xid = pg_current_xact_id()::text::bigint AND p.server_since = server_since()
  ) THEN
    RAISE EXCEPTION 'This transaction was open for too long to record an event; begin it again'
      USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN event_place(pg_current_xact_id());
END;
$$;

-- The position of an event that the current transaction records.
CREATE FUNCTION event_tx() RETURNS xid8
  LANGUAGE sql
  RETURN CASE
    WHEN pg_current_xact_id() < pg_sequence_last_value('event_fence'::regclass)::text::xid8
      THEN event_tx_unless_skipped()
    ELSE event_place(pg_current_xact_id())
  END;

-- An event, recorded in the transaction of the change that it describes. Append-only, in partitions
-- by ID (lib/events/partition-bounds.ts).
CREATE TABLE event (
  id bigserial PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C",
  type text NOT NULL,
  subject text COLLATE "C" NOT NULL,
  data jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  tx xid8 NOT NULL DEFAULT event_tx()
) PARTITION BY RANGE (id);
-- The first partition is open at its end, like every last partition, so that an INSERT never fails.
CREATE TABLE event_first PARTITION OF event FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE INDEX event_owner_id_id_idx ON event (owner_id, id);
-- The owner's activity without the types that apps cause all day.
CREATE INDEX event_rare ON event (owner_id, id DESC)
  WHERE (type NOT IN ('approval.submitted', 'approval.resolved', 'notification.pushed',
    'notification.read'));
-- The trail of one approval.
CREATE INDEX event_subject_idx ON event (subject);
-- The few events that make an app look suspicious to its owner.
CREATE INDEX event_trouble ON event (owner_id, created_at)
  WHERE (type IN ('app.refused', 'token.reused', 'code.reused'));
-- An app's events about an owner, in the order of the feed.
CREATE INDEX event_owner_id_app_id_tx_id_idx ON event (owner_id, app_id, tx, id);
-- The log of all owners in its order, for webhooks.
CREATE INDEX event_tx_id_idx ON event (tx, id);

-- The position below which no more events can appear. Readers read only below it.
CREATE FUNCTION event_horizon() RETURNS xid8
  LANGUAGE plpgsql STABLE
  SET search_path = placed_homes, public, pg_temp
AS $$
DECLARE
  seen CONSTANT pg_snapshot := pg_current_snapshot();
BEGIN
  -- Frequent, and on most servers no transaction was ever skipped.
  IF pg_sequence_last_value('event_fence'::regclass) IS NULL
    OR NOT EXISTS (SELECT FROM skipped_transaction)
  THEN
    RETURN event_place(pg_snapshot_xmin(seen));
  END IF;
  RETURN event_place(least(
    pg_current_xact_id_if_assigned(),
    coalesce(
      (
        SELECT open
        FROM pg_snapshot_xip(seen) AS open
        WHERE NOT EXISTS (
          SELECT FROM skipped_transaction p
          WHERE p.xid = open::text::bigint AND p.server_since = server_since()
        )
        ORDER BY open LIMIT 1
      ),
      pg_snapshot_xmax(seen)
    )
  ));
END;
$$;

-- Skips the transactions that keep the horizon below waiting events, and have not touched `event`.
-- A skipped transaction can't record events, and is repeated as after a deadlock. Returns their
-- number.
CREATE FUNCTION skip_idle_transactions(min_age interval) RETURNS integer
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
DECLARE
  held xid8;
  passed int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('skipped_transaction', 0));
  DELETE FROM skipped_transaction
  WHERE xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    OR server_since <> server_since();
  SELECT (e.tx::text::bigint - event_offset())::text::xid8 INTO held
  FROM event e
  WHERE e.tx >= event_horizon() AND e.created_at <= clock_timestamp() - min_age
  ORDER BY e.tx, e.id LIMIT 1;
  IF held IS NULL THEN RETURN 0; END IF;
  -- Before the locks are read: a transaction that locks "event" afterwards sees the fence.
  PERFORM setval(
    'event_fence', greatest(held::text::bigint, pg_sequence_last_value('event_fence'::regclass))
  );
  WITH lock AS MATERIALIZED (SELECT * FROM pg_locks)
  INSERT INTO skipped_transaction (xid)
  SELECT open::text::bigint
  FROM pg_snapshot_xip(pg_current_snapshot()) AS open
    JOIN lock l ON l.locktype = 'transactionid' AND l.transactionid = open::xid
      AND l.mode = 'ExclusiveLock'
  WHERE open < held AND NOT EXISTS (
    SELECT FROM lock w
    WHERE w.virtualtransaction = l.virtualtransaction AND w.locktype = 'relation'
      AND w.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND w.relation = 'event'::regclass
      AND w.mode NOT IN ('AccessShareLock', 'RowShareLock', 'SIReadLock')
  )
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS passed = ROW_COUNT;
  RETURN passed;
END;
$$;

-- The retention in days. Null means forever. The table has one row, written when the service
-- starts.
CREATE TABLE retention (
  id integer PRIMARY KEY CHECK (id = 1),
  event_days integer CHECK (event_days >= 7),
  answered_days integer CHECK (answered_days >= 7),
  archived_upto bigint NOT NULL DEFAULT 0
);

INSERT INTO retention (id) VALUES (1);

-- The time before which rows may be removed: whole days, so that each archive has one day.
CREATE FUNCTION retention_cutoff(days integer) RETURNS timestamptz
  LANGUAGE sql STABLE
  RETURN date_trunc('day', now(), 'UTC') - make_interval(days => days);

-- Rejects each change of an event, except the deletion of an expired one.
CREATE FUNCTION refuse_event_change() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.created_at < (SELECT retention_cutoff(event_days) FROM retention) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% on % is not allowed: events are append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END;
$$;

-- Only events past their retention can be deleted.
CREATE TRIGGER event_is_append_only
  BEFORE DELETE OR UPDATE ON event
  FOR EACH ROW
  EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER event_is_never_emptied
  BEFORE TRUNCATE ON event
  FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change('events are append-only');

CREATE TRIGGER event_is_never_emptied
  BEFORE TRUNCATE ON event_first
  FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change('events are append-only');

-- The partitions of the log. `ends` is the first ID after a partition, or NULL for the last one.
CREATE VIEW event_partition AS
SELECT c.oid::regclass AS name, b.bounds[1]::bigint AS begins, b.bounds[2]::bigint AS ends
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT regexp_match(pg_get_expr(c.relpartbound, c.oid),
    'FROM \((?:MINVALUE|''?(\d+)''?)\) TO \((?:MAXVALUE|''?(\d+)''?)\)') AS bounds) AS b
WHERE i.inhparent = 'event'::regclass;

-- Begins a new partition, in steps that each lock for a short time: 'close' limits the last
-- partition, 'check' validates the limit, 'begin' attaches a new partition, and 'open' undoes
-- 'close'. Runs as the owner of the tables, because the service's role can't change tables. Returns
-- whether the step was done.
CREATE FUNCTION cut_events(step text, "least" bigint DEFAULT 1000000) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp
  SET lock_timeout = '500ms'
AS $$
DECLARE
  part record;
  began timestamptz;
  first bigint;
  "end" bigint;
  "new" text;
BEGIN
  -- Another instance may be doing the same.
  IF NOT pg_try_advisory_xact_lock(4600205) THEN
    RETURN false;
  END IF;
  SELECT * INTO part FROM event_partition WHERE ends IS NULL;
  SELECT substring(pg_get_constraintdef(oid) FROM '\d+')::bigint INTO "end" FROM pg_constraint
    WHERE conrelid = part.name AND conname = 'event_ends';
  IF step IN ('close', 'open') AND "end" IS NOT NULL THEN
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT "event_ends"', part.name);
  END IF;
  IF step = 'close' THEN
    EXECUTE format('SELECT "created_at", "id" FROM %s ORDER BY "id" LIMIT 1', part.name) INTO began,
      first;
    SELECT last_value INTO "end" FROM event_id_seq;
    IF began IS NULL OR began >= date_trunc('month', now(), 'UTC') OR "end" - first + 1 < "least"
      THEN
      RETURN false;
    END IF;
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT "event_ends" CHECK ("id" < %s) NOT VALID',
      part.name, "end" + 1000000);
  ELSIF step = 'check' AND "end" IS NOT NULL THEN
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT "event_ends"', part.name);
  ELSIF step = 'begin' AND "end" IS NOT NULL THEN
    "new" := format('event_%s_%s', to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM'), "end");
    LOCK TABLE ONLY event IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('ALTER TABLE "event" DETACH PARTITION %s', part.name);
    EXECUTE format('ALTER TABLE "event" ATTACH PARTITION %s FOR VALUES FROM (%s) TO (%s)',
      part.name,
      coalesce(part.begins::text, 'MINVALUE'), "end");
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT "event_ends"', part.name);
    EXECUTE format('CREATE TABLE %I (LIKE "event" INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
      "new");
    EXECUTE format('ALTER TABLE "event" ATTACH PARTITION %I FOR VALUES FROM (%s) TO (MAXVALUE)',
      "new", "end");
    EXECUTE format('CREATE TRIGGER "event_is_never_emptied" BEFORE TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"(''events are append-only'')', "new");
    PERFORM setval('event_id_seq', "end", false);
  END IF;
  RETURN "end" IS NOT NULL;
END;
$$;

-- Removes a partition or some rows of expired and archived events. Events about pending questions
-- stay. Returns the number of removed events.
CREATE FUNCTION remove_events() RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp
  SET lock_timeout = '500ms'
AS $$
DECLARE
  kept record;
  part record;
  stays boolean;
  gone bigint;
BEGIN
  SELECT archived_upto, retention_cutoff(event_days) AS since INTO kept FROM retention;
  IF kept.since IS NULL THEN
    RETURN 0;
  END IF;
  FOR part IN SELECT * FROM event_partition ORDER BY ends NULLS LAST LOOP
    CONTINUE WHEN part.ends > kept.archived_upto + 1;
    IF part.ends IS NOT NULL THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE "created_at" >= $1)', part.name)
        INTO stays USING kept.since;
      CONTINUE WHEN stays;
      EXECUTE format('SELECT EXISTS (
          SELECT FROM "approval" a JOIN %s e ON e."subject" = a."id" WHERE a."status" = ''pending''
        )',
        part.name) INTO stays;
      IF NOT stays THEN
        SELECT greatest(reltuples, 1)::bigint INTO gone FROM pg_class WHERE oid = part.name;
        EXECUTE format('DROP TABLE %s', part.name);
        RETURN gone;
      END IF;
    END IF;
    EXECUTE format('DELETE FROM %1$s WHERE "id" = ANY (ARRAY(
        SELECT e."id" FROM %1$s e WHERE e."id" <= $1 AND e."created_at" < $2
          AND NOT EXISTS (
            SELECT FROM "approval" a WHERE a."id" = e."subject" AND a."status" = ''pending''
          )
        ORDER BY e."id" LIMIT 1000 FOR UPDATE SKIP LOCKED))', part.name)
      USING kept.archived_upto, kept.since;
    GET DIAGNOSTICS gone = ROW_COUNT;
    IF gone > 0 THEN
      RETURN gone;
    END IF;
  END LOOP;
  RETURN 0;
END;
$$;

-- The last archived event of an owner, for one app or one linked account, or with '' for all.
CREATE TABLE event_removed (
  owner_id text COLLATE "C" NOT NULL,
  whose text COLLATE "C" NOT NULL,
  tx xid8 NOT NULL,
  event_id bigint NOT NULL,
  PRIMARY KEY (owner_id, whose)
);

-- Archived records, which the owner can download for a limited time, as compressed lines of JSON.
CREATE TABLE archive_part (
  id bigserial PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  kind text NOT NULL,
  rows integer NOT NULL,
  first_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,
  data bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX archive_part_owner_id_id_idx ON archive_part (owner_id, id);
CREATE INDEX archive_part_created_at_idx ON archive_part (created_at);

-- The data is already compressed.
ALTER TABLE archive_part ALTER COLUMN data SET STORAGE EXTERNAL;

-- ------------------------------------------------------------------------------------------
-- Apps
-- ------------------------------------------------------------------------------------------

-- An OAuth client. `id` is the client ID.
CREATE TABLE app (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C",
  name text NOT NULL,
  name_skeleton text NOT NULL,
  redirect_uris text[] NOT NULL DEFAULT '{}'::text[],
  secret_hash bytea,
  secret_last4 text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  kind text COLLATE "C" NOT NULL DEFAULT 'manual'
    CHECK (kind IN ('manual', 'dynamic', 'metadata', 'test')),
  grant_types text[] NOT NULL
    DEFAULT '{authorization_code,refresh_token,urn:ietf:params:oauth:grant-type:device_code}',
  client_metadata json NOT NULL DEFAULT '{}',
  metadata_url text COLLATE "C",
  metadata_fresh_until timestamptz(3),
  metadata_good_until timestamptz(3),
  declared_scopes jsonb NOT NULL DEFAULT '{}',
  secret_used_at timestamptz(3),
  old_secret_hash bytea,
  old_secret_last4 text,
  old_secret_until timestamptz(3),
  old_secret_used_at timestamptz(3),
  name_folded text,
  CONSTRAINT app_kind_whole
    CHECK (
      (kind IN ('manual', 'test') OR owner_id IS NULL)
      AND (kind NOT IN ('manual', 'test') OR owner_id IS NOT NULL OR deleted_at IS NOT NULL)
      AND (kind = 'metadata') = (metadata_url IS NOT NULL)
      AND (kind = 'metadata') = (metadata_fresh_until IS NOT NULL)
      AND (kind = 'metadata') = (metadata_good_until IS NOT NULL)
      AND (kind NOT IN ('metadata', 'test') OR secret_hash IS NULL)
    ),
  CONSTRAINT app_old_secret_whole
    CHECK (
      (old_secret_hash IS NULL) = (old_secret_until IS NULL)
      AND (old_secret_hash IS NULL) = (old_secret_last4 IS NULL)
    ),
  -- No app may require the permission to answer its own questions.
  CONSTRAINT app_resolve_is_never_required
    CHECK (
      NOT coalesce(declared_scopes @> '{"approvals:resolve": {"required": true}}'::jsonb, false)
    )
);
CREATE INDEX app_owner_id_idx ON app (owner_id);
CREATE UNIQUE INDEX app_metadata_url_key ON app (metadata_url);
-- The service's own app for an owner.
CREATE UNIQUE INDEX app_one_test ON app (owner_id)
  WHERE kind = 'test';
-- Apps whose names the service folds again before it starts.
CREATE INDEX app_name_unfolded ON app (created_at)
  WHERE name_folded IS NULL;
-- Names of apps that an owner registered are unique for the owner.
CREATE UNIQUE INDEX app_owner_name_skeleton_live ON app (owner_id, name_skeleton)
  WHERE ((deleted_at IS NULL) AND (kind = 'manual'));

CREATE TRIGGER app_requires_owner
  AFTER INSERT OR UPDATE OF owner_id ON app
  FOR EACH ROW WHEN (new.owner_id IS NOT NULL)
  EXECUTE FUNCTION require_owner();

-- An active freeze: of one app, or of all of the owner's apps if `appId` is empty. Unfreezing
-- deletes the row.
CREATE TABLE app_freeze (
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  app_id text COLLATE "C" NOT NULL DEFAULT '',
  by text NOT NULL,
  began_at timestamptz(3) NOT NULL,
  stopped_at timestamptz(3),
  PRIMARY KEY (owner_id, app_id)
);

-- ------------------------------------------------------------------------------------------
-- Integrations
-- ------------------------------------------------------------------------------------------

-- An account that the owner linked at an identity or mail provider.
CREATE TABLE integration (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  provider text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text NOT NULL,
  label text,
  status text NOT NULL DEFAULT 'connected'
    CHECK (status IN ('connected', 'needs_reauth', 'error', 'disconnected')),
  status_reason text,
  buckets text[] NOT NULL DEFAULT '{identity}'::text[]
    CHECK (buckets <@ ARRAY['identity', 'mail', 'calendar', 'contacts', 'files', 'tasks']),
  scopes text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  checked_at timestamptz(3),
  disconnected_at timestamptz(3),
  asked text[] NOT NULL DEFAULT '{}'::text[],
  account_name text,
  refreshed_at timestamptz(3),
  token_expires_at timestamptz(3),
  check_at timestamptz(3),
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz(3),
  lease text,
  lease_until timestamptz(3),
  erase_at timestamptz(3),
  status_before text,
  CONSTRAINT integration_lease_whole CHECK ((lease IS NULL) = (lease_until IS NULL)),
  CONSTRAINT integration_removed_whole
    CHECK ((status = 'disconnected') = (disconnected_at IS NOT NULL))
);
CREATE UNIQUE INDEX integration_owner_id_provider_issuer_subject_key ON integration (owner_id,
  provider, issuer, subject);
CREATE INDEX integration_check_at ON integration (check_at)
  WHERE check_at IS NOT NULL;
CREATE INDEX integration_erase_at ON integration (erase_at)
  WHERE erase_at IS NOT NULL;
CREATE INDEX integration_disconnected_at ON integration (disconnected_at)
  WHERE disconnected_at IS NOT NULL;

-- An account's credential. It is in a separate table, so that statements that read accounts do not
-- read it.
CREATE TABLE integration_secret (
  integration_id text COLLATE "C" PRIMARY KEY REFERENCES integration (id) ON DELETE CASCADE,
  key_id text COLLATE "C" NOT NULL REFERENCES data_key (id),
  sealed bytea NOT NULL,
  -- Increases with each renewal, so that a renewal that began earlier stores nothing.
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  owner_id text COLLATE "C" NOT NULL
);
CREATE INDEX integration_secret_key_id_idx ON integration_secret (key_id);

-- An owner's attempt to link an account at a provider. It is valid once within ten minutes, in the
-- session that began it.
CREATE TABLE link_attempt (
  state_hash bytea PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  session_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  asked text[] NOT NULL DEFAULT '{}'::text[],
  integration_id text COLLATE "C" REFERENCES integration (id) ON DELETE CASCADE,
  sealed bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX link_attempt_expires_at_idx ON link_attempt (expires_at);
CREATE INDEX link_attempt_owner_id_idx ON link_attempt (owner_id);

-- What other domains may read of a linked account.
CREATE VIEW linked_account AS
SELECT id, owner_id, provider, email, label, status = 'disconnected' AS removed FROM integration;

-- ------------------------------------------------------------------------------------------
-- Grants and tokens
-- ------------------------------------------------------------------------------------------

-- The live grant from an owner to an app, at max_open one.
CREATE TABLE app_grant (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  app_id text COLLATE "C" NOT NULL REFERENCES app (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  frozen_at timestamptz(3)
);
-- At max_open one live grant for an owner and an app.
CREATE UNIQUE INDEX app_grant_live ON app_grant (owner_id, app_id)
  WHERE revoked_at IS NULL;
CREATE INDEX app_grant_app_id_idx ON app_grant (app_id);
-- For unfreezing.
CREATE INDEX app_grant_frozen ON app_grant (owner_id)
  WHERE frozen_at IS NOT NULL;

-- Freezes a new grant while a freeze covers its app.
CREATE FUNCTION freeze_new_grant() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  PERFORM FROM owner o WHERE o.id = NEW.owner_id FOR SHARE;
  NEW.frozen_at := (SELECT min(f.began_at) FROM app_freeze f
    WHERE f.owner_id = NEW.owner_id AND f.app_id IN ('', NEW.app_id));
  RETURN NEW;
END;
$$;

-- A new grant is frozen, too.
CREATE TRIGGER app_grant_of_frozen
  BEFORE INSERT ON app_grant
  FOR EACH ROW
  EXECUTE FUNCTION freeze_new_grant();

-- A scope that the owner granted, and when. Revoking the scope deletes the row. The event stays.
CREATE TABLE grant_scope (
  grant_id text COLLATE "C" NOT NULL REFERENCES app_grant (id),
  scope text COLLATE "C" NOT NULL,
  granted_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  owner_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (grant_id, scope)
);

-- A revoked scope. It is kept for the seconds during which the session that revoked it may undo
-- that.
CREATE TABLE revoked_scope (
  grant_id text COLLATE "C" NOT NULL REFERENCES app_grant (id),
  scope text COLLATE "C" NOT NULL,
  granted_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  session_id text COLLATE "C" NOT NULL,
  revoked_at timestamptz(3) NOT NULL DEFAULT now(),
  owner_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (grant_id, scope)
);
CREATE INDEX revoked_scope_revoked_at_idx ON revoked_scope (revoked_at);

-- A linked account that the owner shares with this app.
CREATE TABLE grant_integration (
  grant_id text COLLATE "C" NOT NULL REFERENCES app_grant (id),
  integration_id text COLLATE "C" NOT NULL REFERENCES integration (id),
  owner_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (grant_id, integration_id)
);
CREATE INDEX grant_integration_integration_id_idx ON grant_integration (integration_id);

-- A bearer token, stored only as a peppered hash.
CREATE TABLE token (
  id text COLLATE "C" PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('access', 'personal')),
  grant_id text COLLATE "C" NOT NULL REFERENCES app_grant (id),
  family_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  resource text NOT NULL DEFAULT 'api' CHECK (resource IN ('api', 'mcp')),
  name text,
  last4 text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  owner_id text COLLATE "C" NOT NULL
);
CREATE INDEX token_grant_id_idx ON token (grant_id);
CREATE INDEX token_family_id_idx ON token (family_id);

-- An owner's settings for one app. They outlive the grant, and apps never see them.
CREATE TABLE app_preferences (
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  app_id text COLLATE "C" NOT NULL,
  questions_muted boolean NOT NULL DEFAULT false,
  notifications_muted boolean NOT NULL DEFAULT false,
  muted_types text[] NOT NULL DEFAULT '{}'::text[],
  always_confirm boolean NOT NULL DEFAULT false,
  lock_screen text CHECK (lock_screen IN ('private', 'full')),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  sign_answers boolean NOT NULL DEFAULT false,
  sign_in_lens boolean NOT NULL DEFAULT false,
  PRIMARY KEY (owner_id, app_id)
);

-- Grants that are neither revoked nor expired. A deleted app has no such grant, because its
-- deletion revokes them in the same transaction.
CREATE VIEW live_grant AS
SELECT g.id, g.owner_id, g.app_id, g.created_at, g.expires_at, g.frozen_at
FROM app_grant g WHERE g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now());

-- Valid tokens, with the scopes that the grant has had since the token was issued. OFFSET 0 keeps
-- the planner from starting at all apps.
CREATE VIEW live_token AS
SELECT t.hash, t.resource, t.grant_id, g.owner_id, g.app_id, t.created_at,
  least(t.expires_at, g.expires_at) AS expires_at,
  CASE WHEN g.frozen_at IS NULL THEN ARRAY(
    SELECT s.scope FROM grant_scope s WHERE s.owner_id = t.owner_id AND s.grant_id = t.grant_id
      AND s.scope = ANY (t.scopes) AND s.granted_at <= t.created_at) ELSE '{}' END AS scopes,
  g.frozen_at IS NOT NULL AS frozen
FROM token t JOIN live_grant g ON g.id = t.grant_id
WHERE t.revoked_at IS NULL AND t.expires_at > now()
  AND EXISTS (SELECT FROM app WHERE app.id = g.app_id AND app.deleted_at IS NULL OFFSET 0);

-- The apps that an owner has connected.
CREATE VIEW connected_app AS
SELECT g.owner_id, g.app_id, app.name,
  ARRAY(SELECT s.integration_id FROM grant_integration s WHERE s.grant_id = g.id) AS integration_ids
FROM live_grant g JOIN app ON app.id = g.app_id WHERE app.deleted_at IS NULL;

-- The linked accounts that an owner shares with connected apps.
CREATE VIEW shared_account AS
SELECT g.id AS grant_id, g.owner_id, g.app_id, s.integration_id
FROM grant_integration s JOIN live_grant g ON g.id = s.grant_id;

-- ------------------------------------------------------------------------------------------
-- OAuth
-- ------------------------------------------------------------------------------------------

-- A one-time code that an app exchanges for tokens. Stored only as a hash.
CREATE TABLE authorization_code (
  hash bytea PRIMARY KEY,
  app_id text COLLATE "C" NOT NULL REFERENCES app (id),
  grant_id text COLLATE "C" NOT NULL REFERENCES app_grant (id),
  family_id text COLLATE "C" NOT NULL,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  scopes text[] NOT NULL,
  resource text NOT NULL DEFAULT 'api' CHECK (resource IN ('api', 'mcp')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  owner_id text COLLATE "C" NOT NULL
);
CREATE INDEX authorization_code_expires_at_idx ON authorization_code (expires_at);
CREATE INDEX authorization_code_grant_id_idx ON authorization_code (grant_id);

-- A refresh token, stored only as a peppered hash. Each is used once, and its successor is derived
-- from it.
CREATE TABLE refresh_token (
  hash bytea PRIMARY KEY,
  grant_id text COLLATE "C" NOT NULL REFERENCES app_grant (id),
  family_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  resource text NOT NULL DEFAULT 'api' CHECK (resource IN ('api', 'mcp')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  rotated_at timestamptz(3),
  revoked_at timestamptz(3),
  began_at timestamptz(3) NOT NULL DEFAULT now(),
  rotated_from text COLLATE "C",
  shared integer NOT NULL DEFAULT 0 CHECK (shared >= 0),
  warned_at timestamptz(3),
  owner_id text COLLATE "C" NOT NULL
);
CREATE INDEX refresh_token_grant_id_idx ON refresh_token (grant_id);
CREATE INDEX refresh_token_family_id_idx ON refresh_token (family_id);
CREATE INDEX refresh_token_expires_at_idx ON refresh_token (expires_at);

-- An app's request at /oauth/authorize that waits for the owner's decision. It is decided once.
CREATE TABLE consent_request (
  id text COLLATE "C" PRIMARY KEY,
  app_id text COLLATE "C" NOT NULL REFERENCES app (id),
  owner_id text COLLATE "C",
  redirect_uri text NOT NULL,
  scopes text[] NOT NULL,
  state text,
  code_challenge text NOT NULL,
  resource text NOT NULL DEFAULT 'api' CHECK (resource IN ('api', 'mcp')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  decided_at timestamptz(3)
);
CREATE INDEX consent_request_expires_at_idx ON consent_request (expires_at);

CREATE TRIGGER consent_request_requires_owner
  AFTER INSERT OR UPDATE OF owner_id ON consent_request
  FOR EACH ROW WHEN (new.owner_id IS NOT NULL)
  EXECUTE FUNCTION require_owner();

-- A device's request at /oauth/device_authorization (RFC 8628). It waits for the owner to type its
-- code and decide.
CREATE TABLE device_code (
  id text COLLATE "C" PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  user_code_hash bytea NOT NULL UNIQUE,
  app_id text COLLATE "C" NOT NULL REFERENCES app (id),
  owner_id text COLLATE "C",
  scopes text[] NOT NULL,
  resource text NOT NULL DEFAULT 'api' CHECK (resource IN ('api', 'mcp')),
  interval_seconds integer NOT NULL DEFAULT 5 CHECK (interval_seconds > 0),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  last_polled_at timestamptz(3),
  decided_at timestamptz(3),
  grant_id text COLLATE "C",
  granted text[] NOT NULL DEFAULT '{}'::text[],
  used_at timestamptz(3),
  CONSTRAINT allowed_iff_granted CHECK ((grant_id IS NOT NULL) = (granted <> '{}'::text[])),
  CONSTRAINT allowed_is_decided CHECK (grant_id IS NULL OR decided_at IS NOT NULL),
  CONSTRAINT decided_by_somebody CHECK (decided_at IS NULL OR owner_id IS NOT NULL),
  CONSTRAINT used_is_allowed CHECK (used_at IS NULL OR grant_id IS NOT NULL)
);
CREATE INDEX device_code_expires_at_idx ON device_code (expires_at);
CREATE INDEX device_code_grant_id_idx ON device_code (grant_id);

CREATE TRIGGER device_code_requires_owner
  AFTER INSERT OR UPDATE OF owner_id ON device_code
  FOR EACH ROW WHEN (new.owner_id IS NOT NULL)
  EXECUTE FUNCTION require_owner();

-- ------------------------------------------------------------------------------------------
-- Approvals
-- ------------------------------------------------------------------------------------------

-- The question in its API form, without the closing brace.
CREATE FUNCTION approval_question_json(
  id text, created_at timestamptz, app_id text, question text, options json,
  background_context text, recommendation text
) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  RETURN '{"_id":"' || id || '","_creationTime":' || (date_part('epoch', created_at) * 1000)::bigint
    || ',"clientId":"' || app_id || '","question":' || to_json(question) || ',"options":' || options
    || coalesce(',"backgroundContext":' || to_json(background_context), '')
    || coalesce(',"recommendation":' || to_json(recommendation), '');
END;
$$;

-- The rules of a row. NULL satisfies a rule, as in a CHECK. Only a rejected row is checked again
-- for the name of the broken rule.
CREATE FUNCTION approval_rules(
  status text, resolution json, resolved_at timestamptz, expires_at timestamptz,
  default_option_id text, owner_only boolean, risk text, match json, picked text,
  simulated boolean, signed_by_owner text
) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
  SET search_path = placed_homes, public, pg_temp
AS $$
DECLARE
  broken text;
BEGIN
  IF (status IN ('pending', 'resolved')
    AND (status = 'resolved') = (resolution IS NOT NULL)
    AND (status = 'resolved') = (resolved_at IS NOT NULL)
    AND (resolution IS NULL OR (
      coalesce(resolution ->> 'resolvedBy', '') IN ('owner', 'api')
      AND coalesce(resolution ->> 'kind', '') IN ('option', 'other')
      AND (resolution ->> 'kind' = 'option') = (resolution ->> 'optionId' IS NOT NULL)
      AND (resolution ->> 'kind' = 'other') = (resolution ->> 'otherText' IS NOT NULL)))
    AND (default_option_id IS NULL OR expires_at IS NOT NULL)
    AND (NOT owner_only OR (
      default_option_id IS NULL
      AND coalesce(resolution ->> 'resolvedBy', 'owner') = 'owner'))
    AND (match IS NULL OR (
      coalesce(risk, '') = 'high'
      AND default_option_id IS NULL
      AND (resolution IS NULL OR (
        resolution ->> 'resolvedBy' = 'owner'
        AND (simulated IS TRUE OR coalesce(picked = match ->> 'number', false))))))
    AND risk IN ('low', 'normal', 'high')
    AND (signed_by_owner IS NULL OR (
      default_option_id IS NULL
      AND (signed_by_owner = 'when-possible' OR (
        signed_by_owner IN ('required', 'in-lens')
        AND owner_only
        AND (resolution IS NULL OR resolution -> 'signature' IS NOT NULL)))))
  ) IS NOT FALSE
  THEN
    RETURN true;
  END IF;
  broken := CASE
    WHEN status NOT IN ('pending', 'resolved') THEN 'status_known'
    WHEN (status = 'resolved') <> (resolution IS NOT NULL)
      OR (status = 'resolved') <> (resolved_at IS NOT NULL)
      THEN 'resolved_iff_resolution'
    WHEN default_option_id IS NOT NULL AND expires_at IS NULL THEN 'default_has_deadline'
    WHEN owner_only AND (default_option_id IS NOT NULL OR resolution ->> 'resolvedBy' <> 'owner')
      THEN 'owner_only_means_owner'
    WHEN risk NOT IN ('low', 'normal', 'high') THEN 'risk_known'
    WHEN match IS NOT NULL AND (coalesce(risk, '') <> 'high' OR default_option_id IS NOT NULL)
      THEN 'match_is_high_risk'
    WHEN match IS NOT NULL AND resolution IS NOT NULL
      AND resolution ->> 'kind' IN ('option', 'other') THEN 'match_means_picked'
    WHEN signed_by_owner NOT IN ('required', 'in-lens', 'when-possible') THEN 'signing_known'
    WHEN signed_by_owner IS NOT NULL AND (default_option_id IS NOT NULL
      OR (signed_by_owner <> 'when-possible' AND NOT owner_only))
      THEN 'signed_means_owner'
    WHEN signed_by_owner <> 'when-possible' AND resolution IS NOT NULL
      AND resolution ->> 'kind' IN ('option', 'other')
      THEN 'required_means_signed'
    ELSE 'resolution_whole' END;
  RAISE check_violation
    USING MESSAGE = format('new row for relation "approval" violates the rule "%s"', broken),
    TABLE = 'approval', CONSTRAINT = broken;
END;
$$;

-- A question for the owner. Its content never changes, and it is resolved once.
CREATE TABLE approval (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  question text NOT NULL,
  options json NOT NULL,
  background_context text,
  recommendation text,
  status text NOT NULL DEFAULT 'pending',
  resolution json,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  resolved_at timestamptz(3),
  -- Most reads of an approval return this text without parsing JSON.
  question_json text NOT NULL GENERATED ALWAYS AS (
    approval_question_json(
      id, created_at, app_id, question, options, background_context, recommendation
    )
  ) STORED,
  expires_at timestamptz(3),
  default_option_id text,
  owner_only boolean NOT NULL DEFAULT false,
  content_hash text,
  deadline_passed_at timestamptz(3),
  -- Triggers fill it from the next tables.
  thread_json text,
  simulated boolean,
  undelivered boolean,
  risk text,
  facts json,
  match json,
  picked text,
  once boolean NOT NULL DEFAULT false,
  fields json,
  frozen_at timestamptz(3),
  due_at timestamptz(3),
  signed_by_owner text,
  -- One function, because PostgreSQL reads and plans each CHECK for every statement.
  CONSTRAINT approval_rules
    CHECK (
      approval_rules(
        status, resolution, resolved_at, expires_at, default_option_id, owner_only, risk, match,
        picked, simulated, signed_by_owner
      )
    )
);
-- Deadlines that the service records.
CREATE INDEX approval_deadline ON approval (expires_at)
  WHERE ((status = 'pending') AND (deadline_passed_at IS NULL) AND (expires_at IS NOT NULL));
-- An owner's questions that expired without an answer.
CREATE INDEX approval_passed ON approval (owner_id, created_at, id)
  WHERE ((status = 'pending') AND (deadline_passed_at IS NOT NULL));
-- With approval_open, these are all pending questions, and an answered one is written into no index
-- for both.
CREATE INDEX approval_unanswered ON approval (owner_id, app_id, created_at DESC, id DESC)
  WHERE ((status = 'pending') AND (deadline_passed_at IS NOT NULL));
-- All questions of an app. Ascending, because PostgreSQL fills the pages at the end of an index;
-- lists that start with the newest row read it backward.
CREATE INDEX approval_list ON approval (owner_id, app_id, created_at, id);
-- Questions that can be answered. Also serves the inbox and the limit of open questions.
CREATE INDEX approval_open ON approval (owner_id, app_id, created_at, id)
  WHERE ((status = 'pending') AND (deadline_passed_at IS NULL));
-- Answered questions of an app.
CREATE INDEX approval_resolved ON approval (owner_id, app_id, created_at, id)
  WHERE status = 'resolved';
-- An owner's answers, in the order of the answers.
CREATE INDEX approval_answered ON approval (owner_id, resolved_at, id)
  WHERE status = 'resolved';

-- The owner's handling of an approval before it is answered. Apps never see it.
CREATE TABLE approval_triage (
  approval_id text COLLATE "C" PRIMARY KEY REFERENCES approval (id),
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  seen_at timestamptz(3),
  snoozed_until timestamptz(3),
  unexpected_at timestamptz(3),
  held_answer json,
  commit_at timestamptz(3),
  overtaken_at timestamptz(3),
  returned_at timestamptz(3),
  held_hash text,
  changed_at timestamptz(3),
  reminded_at timestamptz(3),
  remind_mailed_at timestamptz(3),
  clarification_asked_at timestamptz(3),
  CONSTRAINT held_until_commit CHECK ((held_answer IS NULL) = (commit_at IS NULL))
);
-- Held answers that the service sends.
CREATE INDEX approval_triage_due ON approval_triage (commit_at)
  WHERE commit_at IS NOT NULL;
-- Questions that return from a snooze.
CREATE INDEX approval_triage_snoozed ON approval_triage (snoozed_until)
  WHERE snoozed_until IS NOT NULL;
CREATE INDEX approval_triage_owner_id_approval_id_idx ON approval_triage (owner_id, approval_id);
-- Questions that return after the app's reply.
CREATE INDEX approval_triage_clarification ON approval_triage (clarification_asked_at)
  WHERE clarification_asked_at IS NOT NULL;

-- The owner's request for clarification. It is append-only, like the next two tables.
CREATE TABLE approval_question (
  approval_id text COLLATE "C" NOT NULL REFERENCES approval (id) ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL,
  nth integer NOT NULL CHECK (nth BETWEEN 1 AND 20),
  text text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  delivered_at timestamptz(3),
  PRIMARY KEY (approval_id, nth)
);
CREATE INDEX approval_question_owner_id_approval_id_nth_idx ON approval_question (owner_id,
  approval_id, nth);

-- An app's addition to its question.
CREATE TABLE approval_addition (
  approval_id text COLLATE "C" NOT NULL REFERENCES approval (id) ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL,
  nth integer NOT NULL CHECK (nth BETWEEN 1 AND 20),
  text text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (approval_id, nth)
);
CREATE INDEX approval_addition_owner_id_approval_id_nth_idx ON approval_addition (owner_id,
  approval_id, nth);

-- The outcome of the action after an answer, as the app reports it. The latest report counts.
CREATE TABLE approval_outcome (
  approval_id text COLLATE "C" NOT NULL REFERENCES approval (id) ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL,
  nth integer NOT NULL CHECK (nth BETWEEN 1 AND 20),
  status text NOT NULL CHECK (status IN ('started', 'done', 'failed')),
  text text,
  link text,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (approval_id, nth)
);
CREATE INDEX approval_outcome_owner_id_approval_id_nth_idx ON approval_outcome (owner_id,
  approval_id, nth);

-- The use of an owner's answer, or its withdrawal. Either is final.
CREATE TABLE approval_use (
  approval_id text COLLATE "C" PRIMARY KEY REFERENCES approval (id) ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('used', 'withdrawn')),
  used_by text CHECK (used_by IN ('app', 'receipt')),
  key_hash bytea,
  receipt text,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  refused_at timestamptz(3),
  CONSTRAINT approval_use_whole
    CHECK (
      (kind = 'used') = (used_by IS NOT NULL)
      AND (kind = 'used') = (key_hash IS NOT NULL)
      AND (kind = 'used') = (receipt IS NOT NULL)
    )
);
CREATE INDEX approval_use_owner_id_approval_id_idx ON approval_use (owner_id, approval_id);

-- The API form of an approval's later parts.
CREATE FUNCTION approval_thread_json(which text) RETURNS text
  LANGUAGE sql STABLE
  SET search_path = placed_homes, public, pg_temp
AS $$
  SELECT nullif(concat(
    (SELECT ',"additions":[' || string_agg('{"text":' || to_json(text) || ',"createdAt":'
        || (date_part('epoch', created_at) * 1000)::bigint || '}', ',' ORDER BY nth) || ']'
      FROM approval_addition WHERE approval_id = which),
    (SELECT ',"questions":[' || string_agg('{"text":' || to_json(text) || ',"createdAt":'
        || (date_part('epoch', created_at) * 1000)::bigint || '}', ',' ORDER BY nth) || ']'
      FROM approval_question WHERE approval_id = which),
    (SELECT ',"outcome":{"status":"' || status || '"' || coalesce(',"text":' || to_json(text), '')
        || coalesce(',"link":' || to_json(link), '') || ',"reportedAt":'
        || (date_part('epoch', created_at) * 1000)::bigint || '}'
      FROM approval_outcome WHERE approval_id = which ORDER BY nth DESC LIMIT 1),
    (SELECT CASE kind WHEN 'used' THEN ',"usedAt":' ELSE ',"withdrawnAt":' END
      || (date_part('epoch', created_at) * 1000)::bigint
      FROM approval_use WHERE approval_id = which)
  ), '')
$$;

-- Updates the JSON of the thread after a new entry.
CREATE FUNCTION update_thread_json() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  UPDATE approval SET thread_json = approval_thread_json(id) WHERE id = NEW.approval_id;
  RETURN NULL;
END;
$$;

-- Rejects a change of a resolved approval, except of its thread, and of whether its answer was
-- delivered.
CREATE FUNCTION refuse_change_of_resolution() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  IF (NEW.thread_json IS DISTINCT FROM OLD.thread_json OR (OLD.undelivered AND NOT NEW.undelivered))
    AND (NEW.undelivered IS NOT DISTINCT FROM OLD.undelivered OR NOT NEW.undelivered)
    AND to_jsonb(NEW) - 'thread_json' - 'question_json' - 'undelivered' = to_jsonb(
      OLD) - 'thread_json' - 'question_json' - 'undelivered' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% on % is not allowed: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0]
    USING ERRCODE = 'restrict_violation';
END;
$$;

-- Rejects the deletion of an entry without its approval.
CREATE FUNCTION refuse_deletion_alone() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM approval WHERE id = OLD.approval_id) THEN
    RAISE EXCEPTION 'DELETE on % is not allowed: an entry stays with its approval', TG_TABLE_NAME
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END;
$$;

-- The content hash covers these columns.
CREATE TRIGGER approval_content_is_immutable
  AFTER UPDATE OF
    id, owner_id, app_id, question, options, background_context, recommendation, created_at,
    expires_at, default_option_id, owner_only, risk, facts, fields, match, once, signed_by_owner
  ON approval
  FOR EACH ROW
  EXECUTE FUNCTION refuse_change('a question never changes');
CREATE TRIGGER approval_resolves_once
  AFTER UPDATE ON approval
  FOR EACH ROW WHEN (old.status = 'resolved')
  EXECUTE FUNCTION refuse_change_of_resolution('an approval resolves exactly once');

CREATE TRIGGER approval_question_is_append_only
  BEFORE UPDATE OF approval_id, owner_id, nth, text, created_at ON approval_question
  FOR EACH ROW
  EXECUTE FUNCTION refuse_change('an entry never changes');
CREATE TRIGGER approval_question_in_thread
  AFTER INSERT ON approval_question
  FOR EACH ROW
  EXECUTE FUNCTION update_thread_json();
CREATE TRIGGER approval_question_stays
  BEFORE DELETE ON approval_question
  FOR EACH ROW
  EXECUTE FUNCTION refuse_deletion_alone();

CREATE TRIGGER approval_addition_is_append_only
  BEFORE UPDATE ON approval_addition
  FOR EACH ROW
  EXECUTE FUNCTION refuse_change('an entry never changes');
CREATE TRIGGER approval_addition_in_thread
  AFTER INSERT ON approval_addition
  FOR EACH ROW
  EXECUTE FUNCTION update_thread_json();
CREATE TRIGGER approval_addition_stays
  BEFORE DELETE ON approval_addition
  FOR EACH ROW
  EXECUTE FUNCTION refuse_deletion_alone();

CREATE TRIGGER approval_outcome_is_append_only
  BEFORE UPDATE ON approval_outcome
  FOR EACH ROW
  EXECUTE FUNCTION refuse_change('an entry never changes');
CREATE TRIGGER approval_outcome_in_thread
  AFTER INSERT ON approval_outcome
  FOR EACH ROW
  EXECUTE FUNCTION update_thread_json();
CREATE TRIGGER approval_outcome_stays
  BEFORE DELETE ON approval_outcome
  FOR EACH ROW
  EXECUTE FUNCTION refuse_deletion_alone();

CREATE TRIGGER approval_use_is_final
  BEFORE UPDATE OF approval_id, owner_id, kind, used_by, key_hash, receipt, created_at
    ON approval_use
  FOR EACH ROW
  EXECUTE FUNCTION refuse_change('a use or a withdrawal is final');
CREATE TRIGGER approval_use_in_thread
  AFTER INSERT ON approval_use
  FOR EACH ROW
  EXECUTE FUNCTION update_thread_json();
CREATE TRIGGER approval_use_stays
  BEFORE DELETE ON approval_use
  FOR EACH ROW
  EXECUTE FUNCTION refuse_deletion_alone();

-- The additions in the form that the content hash covers.
CREATE FUNCTION approval_additions(approval_id text) RETURNS jsonb
  LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = placed_homes, public, pg_temp
AS $$
  SELECT jsonb_agg(jsonb_build_object('text', t.text, 'createdAt', (date_part('epoch',
    t.created_at) * 1000)::bigint) ORDER BY t.nth)
  FROM approval_addition AS t WHERE t.approval_id = $1
$$;

-- The SHA-256 of a question's canonical JSON (RFC 8785), as in lib/approvals/content-hash.ts.
CREATE FUNCTION approval_content_hash(
  question text, options json, background_context text, recommendation text,
  expires_at timestamptz, default_option_id text, owner_only boolean, risk text, facts json, fields json,
  once boolean, signed_by_owner text, additions jsonb
) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  RETURN 'sha256:' || encode(sha256(convert_to('{'
    || coalesce('"additions":[' || (
        SELECT string_agg(
          '{"createdAt":' || (e.it ->> 'createdAt') || ',"text":' || to_json(e.it ->> 'text')
            || '}',
          ',' ORDER BY e.at)
        FROM jsonb_array_elements(additions) WITH ORDINALITY AS e(it, at)) || '],', '')
    || coalesce('"backgroundContext":' || to_json(background_context) || ',', '')
    || coalesce('"defaultOptionId":' || to_json(default_option_id) || ',', '')
    || coalesce('"expiresAt":' || (date_part('epoch', expires_at) * 1000)::bigint || ',', '')
    || CASE WHEN facts IS NULL THEN '' ELSE coalesce('"facts":[' || (
        SELECT string_agg(
          '{"label":' || to_json(e.it ->> 'label')
            || ',"value":' || to_json(e.it ->> 'value') || '}',
          ',' ORDER BY e.at)
        FROM json_array_elements(facts) WITH ORDINALITY AS e(it, at)) || '],', '') END
    || coalesce('"fields":' || (fields -> 'schema') || ',', '')
    || CASE WHEN once THEN '"once":true,' ELSE '' END
    || '"options":[' || coalesce((
        SELECT string_agg('{' || CASE WHEN e.it ->> 'fields' = 'true' THEN '"fields":true,'
          ELSE '' END
          || '"id":' || to_json(e.it ->> 'id') || ',"label":' || to_json(e.it ->> 'label')
          || coalesce(',"note":' || to_json(e.it ->> 'note'), '')
          || coalesce(',"style":' || to_json(e.it ->> 'style'), '') || '}', ',' ORDER BY e.at)
        FROM json_array_elements(options) WITH ORDINALITY AS e(it, at)), '') || ']'
    || CASE WHEN owner_only THEN ',"ownerOnly":true' ELSE '' END
    || ',"question":' || to_json(question)
    || coalesce(',"recommendation":' || to_json(recommendation), '')
    || coalesce(',"risk":' || to_json(risk), '')
    || CASE signed_by_owner
      WHEN 'required' THEN ',"signedByOwner":true'
      WHEN 'when-possible' THEN ',"signedByOwner":"when-possible"'
      WHEN 'in-lens' THEN ',"signedByOwner":"in-lens"'
      ELSE ''
    END
    || '}', 'UTF8')), 'hex');
END;
$$;

-- The content hash of a question with its additions.
CREATE FUNCTION approval_current_hash(a approval) RETURNS text
  LANGUAGE plpgsql STABLE PARALLEL SAFE
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  RETURN approval_content_hash(a.question, a.options, a.background_context, a.recommendation,
    a.expires_at, a.default_option_id, a.owner_only, a.risk, a.facts, a.fields, a.once,
      a.signed_by_owner,
    approval_additions(a.id));
END;
$$;

-- Whether a question is unchanged, and is what the owner saw.
CREATE FUNCTION approval_is_as_seen(a approval, seen text) RETURNS boolean
  LANGUAGE plpgsql STABLE PARALLEL SAFE
  SET search_path = placed_homes, public, pg_temp
AS $$
DECLARE
  hash text := approval_current_hash(a);
BEGIN
  RETURN hash = coalesce(a.content_hash, hash) AND hash = coalesce(seen, hash);
END;
$$;

-- How an answer must be signed: 'lens', 'required', 'impossible' without a passkey, or NULL.
CREATE FUNCTION approval_signing(signed_by_owner text, owner text, app text) RETURNS text
  LANGUAGE plpgsql STABLE PARALLEL SAFE
  SET search_path = placed_homes, public, pg_temp
AS $$
DECLARE
  able boolean := EXISTS (SELECT FROM passkey p WHERE p.owner_id = owner);
BEGIN
  IF signed_by_owner = 'in-lens'
    OR EXISTS (SELECT FROM app_preferences c WHERE c.owner_id = owner AND c.app_id = app
      AND c.sign_in_lens)
  THEN
    RETURN CASE WHEN able THEN 'lens' ELSE 'impossible' END;
  END IF;
  IF signed_by_owner = 'required'
    OR EXISTS (SELECT FROM owner_settings s WHERE s.owner_id = owner AND s.sign_answers)
    OR EXISTS (SELECT FROM app_preferences c WHERE c.owner_id = owner AND c.app_id = app
      AND c.sign_answers)
  THEN
    RETURN CASE WHEN able THEN 'required' ELSE 'impossible' END;
  END IF;
  RETURN CASE WHEN signed_by_owner = 'when-possible' AND able THEN 'required' END;
END;
$$;

-- Records that an agent got the answer. Returns '', so that reads can append it. Skips a row that
-- another transaction has locked, because that transaction records the same.
CREATE FUNCTION approval_mark_delivered(which text) RETURNS text
  LANGUAGE sql
  SET search_path = placed_homes, public, pg_temp
AS $$
  UPDATE approval SET undelivered = false WHERE id = (SELECT id FROM approval
    WHERE id = which AND undelivered AND status = 'resolved' FOR NO KEY UPDATE SKIP LOCKED);
  SELECT ''
$$;

-- Questions without an answer or a recorded deadline, with the owner's triage. `place` says why a
-- question is or is not waiting. `held` is whether an answer can still be undone, and `connected`
-- whether the app can read an answer.
CREATE VIEW open_approval AS
SELECT a.id, a.owner_id, a.app_id, a.question, a.options, a.thread_json, a.resolution,
  a.resolved_at, a.created_at,
  coalesce(a.due_at, a.expires_at) AS expires_at,
  d.seen_at, d.snoozed_until, d.returned_at, d.reminded_at, d.remind_mailed_at,
    d.held_answer IS NOT NULL AS held,
  CASE WHEN coalesce(a.due_at, a.expires_at) <= coalesce(a.frozen_at, now()) THEN 'passed'
    WHEN d.snoozed_until > now() THEN 'snoozed'
    WHEN d.clarification_asked_at IS NOT NULL OR a.picked <> a.match ->> 'number' THEN 'asked'
    WHEN c.questions_muted THEN 'muted' ELSE 'waiting' END AS place,
  EXISTS (SELECT FROM live_grant g WHERE g.owner_id = a.owner_id
    AND g.app_id = a.app_id) AS connected,
  a.risk, a.facts, a.due_at, a.frozen_at
FROM approval a LEFT JOIN approval_triage d ON d.approval_id = a.id
  LEFT JOIN app_preferences c ON c.owner_id = a.owner_id AND c.app_id = a.app_id
WHERE a.status = 'pending' AND a.deadline_passed_at IS NULL;

-- How many more questions of a grant's app may be open. Locks the grant until the transaction ends.
-- It is volatile, so that it counts questions that were committed while it waited.
CREATE FUNCTION approval_capacity("grant" text, owner text, app text,
  max_open integer) RETURNS integer
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('submit ' || "grant", 0));
  RETURN max_open - (SELECT count(*) FROM (
    SELECT FROM open_approval p WHERE p.owner_id = owner
      AND p.app_id = app LIMIT max_open) AS waiting);
END;
$$;

-- ------------------------------------------------------------------------------------------
-- Notifications
-- ------------------------------------------------------------------------------------------

-- An app's message to the owner, without a question.
CREATE TABLE notification (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  title text NOT NULL,
  body text NOT NULL DEFAULT '',
  type text NOT NULL DEFAULT 'general',
  data json NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  read_at timestamptz(3),
  surfaced_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
  done_at timestamptz(3),
  expires_at timestamptz(3),
  dedupe_key text COLLATE "C",
  replaced_at timestamptz(3),
  urgent boolean NOT NULL DEFAULT false
);
CREATE INDEX notification_list ON notification (owner_id, app_id, created_at DESC, id DESC);
CREATE INDEX notification_by_type ON notification (owner_id, app_id, type, created_at DESC,
  id DESC);
CREATE INDEX notification_inbox ON notification (owner_id, surfaced_at DESC, id DESC)
  WHERE ((done_at IS NULL) AND (replaced_at IS NULL));
CREATE INDEX notification_unread ON notification (owner_id, surfaced_at DESC, id DESC)
  WHERE ((read_at IS NULL) AND (done_at IS NULL) AND (replaced_at IS NULL));
CREATE INDEX notification_done ON notification (owner_id, done_at DESC, id DESC)
  WHERE ((done_at IS NOT NULL) AND (replaced_at IS NULL));
CREATE INDEX notification_expiring ON notification (expires_at)
  WHERE ((expires_at IS NOT NULL) AND (done_at IS NULL));
-- The latest notification with a key.
CREATE INDEX notification_same ON notification (owner_id, app_id, dedupe_key, created_at DESC,
  id DESC)
  WHERE dedupe_key IS NOT NULL;

-- Notifications that are neither done, replaced nor expired.
CREATE VIEW open_notification AS
SELECT n.id, n.owner_id, n.app_id, n.title, n.body, n.type, n.data, n.created_at, n.read_at,
  n.surfaced_at, n.done_at, n.expires_at, n.dedupe_key, n.replaced_at, n.urgent,
  coalesce(c.notifications_muted, false) AS app_muted, coalesce(n.type = ANY (c.muted_types),
    false) AS type_muted
FROM notification n LEFT JOIN app_preferences c ON c.owner_id = n.owner_id AND c.app_id = n.app_id
WHERE n.done_at IS NULL AND n.replaced_at IS NULL AND (n.expires_at IS NULL OR n.expires_at > now())
  AND (n.dedupe_key IS NULL OR NOT EXISTS (
    SELECT FROM notification newer
    WHERE newer.owner_id = n.owner_id AND newer.app_id = n.app_id
      AND newer.dedupe_key = n.dedupe_key
      AND newer.dedupe_key IS NOT NULL AND (newer.created_at, newer.id) > (n.created_at, n.id)));

-- The service's own notifications. WITH CHECK OPTION keeps other domains from writing apps'
-- notifications.
CREATE VIEW own_notification AS
SELECT id, owner_id, app_id, title, body, type, data FROM notification WHERE app_id = 'countersign'
WITH CHECK OPTION;

-- ------------------------------------------------------------------------------------------
-- Alerts
-- ------------------------------------------------------------------------------------------

-- A browser that shows alerts. `sealed` contains its push service's URL and the encryption keys for
-- its messages.
CREATE TABLE push_subscription (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  session_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL UNIQUE,
  sealed bytea NOT NULL,
  service text NOT NULL,
  device text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  last_delivered_at timestamptz(3)
);
CREATE INDEX push_subscription_owner_id_idx ON push_subscription (owner_id);
CREATE INDEX push_subscription_session_id_idx ON push_subscription (session_id);
CREATE INDEX push_subscription_last_seen_at_idx ON push_subscription (last_seen_at);

-- An alert channel outside the owner's browsers. `sealed` contains its credentials.
CREATE TABLE alert_channel (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  kind text NOT NULL
    CHECK (kind IN ('ntfy', 'gotify', 'telegram', 'slack', 'slack-bot', 'webhook')),
  name text NOT NULL,
  service text NOT NULL,
  key_id text COLLATE "C" NOT NULL REFERENCES data_key (id),
  sealed bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_delivered_at timestamptz(3),
  failing_since timestamptz(3),
  problem text,
  failure_reported boolean NOT NULL DEFAULT false
);
CREATE INDEX alert_channel_owner_id_idx ON alert_channel (owner_id);
CREATE INDEX alert_channel_key_id_idx ON alert_channel (key_id);

-- The browsers and channels that get alerts.
CREATE VIEW alert_target AS
SELECT id, owner_id, service, 'browser' AS kind, sealed, NULL::text COLLATE "C" AS key_id
  FROM push_subscription
  UNION ALL SELECT id, owner_id, service, kind, sealed, key_id FROM alert_channel;

-- The sessions whose browsers get alerts.
CREATE VIEW session_alerts AS
SELECT owner_id, session_id FROM push_subscription;

-- A link in an email that answers one question without a sign-in. It is valid while the owner's
-- email and sessions are unchanged.
CREATE TABLE answer_link (
  hash bytea PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  approval_id text COLLATE "C" NOT NULL REFERENCES approval (id),
  email text NOT NULL,
  session_version integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  held_until timestamptz(3)
);
CREATE INDEX answer_link_owner_id_idx ON answer_link (owner_id);
CREATE INDEX answer_link_approval_id_idx ON answer_link (approval_id);
CREATE INDEX answer_link_expires_at_idx ON answer_link (expires_at);

-- How far alerts have been created for an owner. Looking for alerts locks this row.
CREATE TABLE alert_cursor (
  owner_id text COLLATE "C" PRIMARY KEY REFERENCES owner (id),
  since timestamptz(3) NOT NULL DEFAULT now(),
  looked_upto bigint NOT NULL DEFAULT 0,
  look_again_at timestamptz(3),
  emailed_at timestamptz(3),
  emailed_upto timestamptz(3)
);
CREATE INDEX alert_cursor_look_again_at_idx ON alert_cursor (look_again_at);

-- One alert: a question, a notification, or a digest of several from one app.
CREATE TABLE alert (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  app_id text COLLATE "C" NOT NULL,
  about text NOT NULL CHECK (about IN ('questions', 'notifications')),
  tag text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  closed_at timestamptz(3),
  reminder boolean NOT NULL DEFAULT false
);
CREATE INDEX alert_owner_id_app_id_created_at_idx ON alert (owner_id, app_id, created_at);
CREATE INDEX alert_closed_at_idx ON alert (closed_at);

-- An approval or notification in an alert. Each is alerted once.
CREATE TABLE alert_subject (
  subject text COLLATE "C" PRIMARY KEY,
  alert_id text COLLATE "C" NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL
);
CREATE INDEX alert_subject_alert_id_idx ON alert_subject (alert_id);

-- An alert to send to one browser or channel. Leasing a row moves `dueAt`, so that no other sender
-- takes it at the same time.
CREATE TABLE alert_delivery (
  alert_id text COLLATE "C" NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
  target_id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('show', 'close')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  outcome text CHECK (outcome IN ('sent', 'dropped', 'refused')),
  receipt text,
  pressed_at timestamptz(3),
  owner_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (alert_id, target_id, kind),
  CONSTRAINT ended_with_outcome CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX alert_delivery_target_id_idx ON alert_delivery (target_id);
CREATE INDEX alert_delivery_due ON alert_delivery (due_at)
  WHERE ended_at IS NULL;

-- Deletes the deliveries to a browser or a channel.
CREATE FUNCTION delete_alert_deliveries() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  DELETE FROM alert_delivery WHERE target_id = OLD.id;
  RETURN NULL;
END;
$$;

-- `target_id` can name a row of either table, so it has no foreign key.
CREATE TRIGGER push_subscription_gone
  AFTER DELETE ON push_subscription
  FOR EACH ROW
  EXECUTE FUNCTION delete_alert_deliveries();

CREATE TRIGGER alert_channel_gone
  AFTER DELETE ON alert_channel
  FOR EACH ROW
  EXECUTE FUNCTION delete_alert_deliveries();

-- Deletes the alerts of a browser whose session ended.
CREATE FUNCTION delete_push_subscriptions() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = placed_homes, public, pg_temp
AS $$
BEGIN
  DELETE FROM push_subscription WHERE session_id = NEW.id;
  RETURN NULL;
END;
$$;

-- A browser without a session gets no alerts.
CREATE TRIGGER owner_session_ended
  AFTER UPDATE OF ended_at ON owner_session
  FOR EACH ROW WHEN (new.ended_at IS NOT NULL)
  EXECUTE FUNCTION delete_push_subscriptions();

-- ------------------------------------------------------------------------------------------
-- Webhooks
-- ------------------------------------------------------------------------------------------

-- An endpoint that receives events by POST. It belongs to an app, and the owner who registered the
-- app manages it.
CREATE TABLE webhook_endpoint (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL REFERENCES app (id),
  url text NOT NULL,
  description text NOT NULL DEFAULT '',
  types text[] NOT NULL DEFAULT '{}'::text[],
  state text NOT NULL DEFAULT 'on' CHECK (state IN ('on', 'off', 'disabled')),
  disabled_reason text CHECK (disabled_reason IN ('gone', 'failing', 'secret')),
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz(3),
  since xid8 NOT NULL DEFAULT event_tx(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  since_time timestamptz(3),
  CONSTRAINT disabled_for_a_reason CHECK ((state = 'disabled') = (disabled_reason IS NOT NULL))
);
CREATE INDEX webhook_endpoint_owner_id_idx ON webhook_endpoint (owner_id);
CREATE INDEX webhook_endpoint_app_id_idx ON webhook_endpoint (app_id);

CREATE TRIGGER webhook_endpoint_requires_owner
  AFTER INSERT OR UPDATE OF owner_id ON webhook_endpoint
  FOR EACH ROW WHEN (new.owner_id IS NOT NULL)
  EXECUTE FUNCTION require_owner();

-- An endpoint's signing secrets, encrypted with a data key: the current secret, and the previous
-- one until it retires.
CREATE TABLE webhook_secret (
  id text COLLATE "C" PRIMARY KEY,
  endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
  key_id text COLLATE "C" NOT NULL REFERENCES data_key (id),
  sealed bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  retires_at timestamptz(3)
);
CREATE INDEX webhook_secret_endpoint_id_idx ON webhook_secret (endpoint_id);
CREATE INDEX webhook_secret_key_id_idx ON webhook_secret (key_id);
-- At max_open one current secret for an endpoint.
CREATE UNIQUE INDEX webhook_secret_in_use ON webhook_secret (endpoint_id)
  WHERE retires_at IS NULL;

-- One event's delivery to one endpoint. The sender holds a lease, which expires automatically if
-- the sender crashes.
CREATE TABLE webhook_delivery (
  id text COLLATE "C" PRIMARY KEY,
  endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C",
  event text COLLATE "C" NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  state text NOT NULL DEFAULT 'pending'
    CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
  attempts integer NOT NULL DEFAULT 0,
  former_attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  lease text COLLATE "C",
  lease_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  CONSTRAINT ended_unless_pending CHECK ((state = 'pending') = (ended_at IS NULL)),
  CONSTRAINT leased_only_pending CHECK ((lease IS NULL) OR (state = 'pending')),
  CONSTRAINT leased_with_an_end CHECK ((lease IS NULL) = (lease_until IS NULL))
);
-- An endpoint gets each event once.
CREATE UNIQUE INDEX webhook_delivery_endpoint_id_event_key ON webhook_delivery (endpoint_id, event);
CREATE INDEX webhook_delivery_owner_id_idx ON webhook_delivery (owner_id);
CREATE INDEX webhook_delivery_endpoint_id_id_idx ON webhook_delivery (endpoint_id, id);
CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint_id, due_at, id)
  WHERE state = 'pending';
CREATE INDEX webhook_delivery_leased ON webhook_delivery (endpoint_id)
  WHERE lease IS NOT NULL;
CREATE INDEX webhook_delivery_ended ON webhook_delivery (ended_at)
  WHERE ended_at IS NOT NULL;

-- The outcome of one attempt. Only the status of the response is stored.
CREATE TABLE webhook_attempt (
  delivery_id text COLLATE "C" NOT NULL REFERENCES webhook_delivery (id) ON DELETE CASCADE,
  number integer NOT NULL,
  at timestamptz(3) NOT NULL,
  ms integer NOT NULL,
  status integer,
  problem text,
  owner_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (delivery_id, number)
);

-- The position up to which the log has been turned into deliveries. Creating deliveries locks this
-- one row.
CREATE TABLE webhook_cursor (
  id integer PRIMARY KEY CHECK (id = 1),
  tx xid8 NOT NULL,
  event_id bigint NOT NULL
);

INSERT INTO webhook_cursor (id, tx, event_id) VALUES (1, event_horizon(), 0);

-- ------------------------------------------------------------------------------------------
-- Requests
-- ------------------------------------------------------------------------------------------

-- The first success of a request with an Idempotency-Key, replayed for 24 hours.
CREATE TABLE idempotency (
  owner_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_hash bytea NOT NULL,
  status integer NOT NULL,
  reply text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_id, app_id, operation, key)
);
CREATE INDEX idempotency_created_at_idx ON idempotency (created_at);

-- One API request, or several similar requests, of which `more` are not listed individually. Rows
-- are kept for a week.
CREATE TABLE api_request (
  id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status integer NOT NULL,
  ms integer NOT NULL,
  warnings text[] NOT NULL DEFAULT '{}'::text[],
  more integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX api_request_owner_id_created_at_id_idx ON api_request (owner_id, created_at, id);
CREATE INDEX api_request_created_at_idx ON api_request (created_at);

-- Requests that a frozen app tried, counted by operation.
CREATE TABLE frozen_request (
  owner_id text COLLATE "C" NOT NULL REFERENCES owner (id),
  app_id text COLLATE "C" NOT NULL,
  operation text NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (owner_id, app_id, operation)
);
