-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- Whether e-mails may carry links that answer a question without a sign-in.
ALTER TABLE "owner_settings" ADD COLUMN "email_answers" boolean NOT NULL DEFAULT false;

-- Such a link: for one question of one owner, while their address and the version of their sessions are what they were.
CREATE TABLE "answer_link" (
  "hash" bytea PRIMARY KEY,
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "approval_id" text COLLATE "C" NOT NULL REFERENCES "approval" ("id"),
  "email" text NOT NULL,
  "session_version" integer NOT NULL,
  "created_at" timestamptz(3) NOT NULL DEFAULT now(),
  "expires_at" timestamptz(3) NOT NULL,
  "used_at" timestamptz(3),
  "held_until" timestamptz(3)
);
CREATE INDEX "answer_link_owner_id_idx" ON "answer_link" ("owner_id");
CREATE INDEX "answer_link_approval_id_idx" ON "answer_link" ("approval_id");
CREATE INDEX "answer_link_expires_at_idx" ON "answer_link" ("expires_at");
