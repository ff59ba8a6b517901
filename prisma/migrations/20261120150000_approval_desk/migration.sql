-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- What the owner does about an approval before it is answered. Apart from "approval", so that what apps read and write stays
-- as it is, and nothing here can reach them.
CREATE TABLE "approval_desk" (
  "approval_id" text COLLATE "C" PRIMARY KEY REFERENCES "approval" ("id"),
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "seen_at" timestamptz(3),
  "snoozed_until" timestamptz(3),
  "unexpected_at" timestamptz(3),
  -- An answer that may still be taken back, and when it counts.
  "held_answer" json,
  "commit_at" timestamptz(3),
  -- When a held answer was dropped because the app had answered meanwhile.
  "overtaken_at" timestamptz(3),
  CONSTRAINT "held_until_commit" CHECK (("held_answer" IS NULL) = ("commit_at" IS NULL))
);
CREATE INDEX "approval_desk_owner_id_idx" ON "approval_desk" ("owner_id");
-- What the service looks for every second: small, however many rows there are.
CREATE INDEX "approval_desk_due" ON "approval_desk" ("commit_at") WHERE "commit_at" IS NOT NULL;
CREATE INDEX "approval_desk_snoozed" ON "approval_desk" ("snoozed_until") WHERE "snoozed_until" IS NOT NULL;
