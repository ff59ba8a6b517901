-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- A scope that was just taken back, as it was: for the seconds in which the session that took it may undo that.
CREATE TABLE "taken_scope" (
  "grant_id" text COLLATE "C" NOT NULL REFERENCES "app_grant" ("id"),
  "scope" text COLLATE "C" NOT NULL,
  "granted_at" timestamptz(3) NOT NULL,
  "last_used_at" timestamptz(3),
  "session_id" text COLLATE "C" NOT NULL,
  "taken_at" timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY ("grant_id", "scope")
);
CREATE INDEX "taken_scope_taken_at_idx" ON "taken_scope" ("taken_at");
