-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Whether somebody else shows the same tokens: from which network each was shown first (a keyed hash), how many generations
-- right before it were shown twice, and when the owner was last told.
ALTER TABLE "refresh_token"
  ADD COLUMN "rotated_from" text COLLATE "C",
  ADD COLUMN "shared" integer NOT NULL DEFAULT 0 CHECK ("shared" >= 0),
  ADD COLUMN "warned_at" timestamptz(3);
