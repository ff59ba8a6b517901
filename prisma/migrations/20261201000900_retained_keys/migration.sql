-- additive
SET lock_timeout = '500ms';

-- Keys that stay the same when SECRET is replaced. They are encrypted under the current SECRET.
CREATE TABLE "retained_key" (
  "purpose" text COLLATE "C" PRIMARY KEY,
  "sealed" bytea NOT NULL,
  "sealed_at" timestamptz(3) NOT NULL DEFAULT now()
);
