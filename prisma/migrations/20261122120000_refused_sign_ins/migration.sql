-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Sign-ins that were refused, counted by the minute, so that no flood fills the owner's activity.
CREATE TABLE "sign_in_refusal" (
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "door" text NOT NULL CHECK ("door" IN ('password', 'recovery_code', 'passkey', 'again')),
  "minute" timestamptz(3) NOT NULL,
  "count" integer NOT NULL DEFAULT 1 CHECK ("count" > 0),
  "address" text NOT NULL,
  "elsewhere" boolean NOT NULL DEFAULT false,
  "written_at" timestamptz(3),
  "seen_at" timestamptz(3),
  "mailed_at" timestamptz(3),
  PRIMARY KEY ("owner_id", "door", "minute")
);
CREATE INDEX "sign_in_refusal_minute_idx" ON "sign_in_refusal" ("minute");
CREATE INDEX "sign_in_refusal_unwritten" ON "sign_in_refusal" ("minute") WHERE "written_at" IS NULL;
