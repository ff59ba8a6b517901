-- additive
SET lock_timeout = '500ms';

-- The active freezes: of one app, or of all of an owner's apps if "app_id" is empty. Unfreezing deletes the row, and the events stay.
-- "by": who froze it, the owner, the app itself or the operator. "stopped_at": from when on no more questions can arrive that still run.
CREATE TABLE "app_freeze" (
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "app_id" text COLLATE "C" NOT NULL DEFAULT '',
  "by" text NOT NULL,
  "began_at" timestamptz(3) NOT NULL,
  "stopped_at" timestamptz(3),
  PRIMARY KEY ("owner_id", "app_id")
);

-- The requests that a frozen app tried, counted by operation. The next freeze of the app starts again.
CREATE TABLE "frozen_request" (
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "app_id" text COLLATE "C" NOT NULL,
  "operation" text NOT NULL,
  "count" integer NOT NULL,
  PRIMARY KEY ("owner_id", "app_id", "operation")
);
