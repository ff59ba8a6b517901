-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- What tells the secret that everything in this database depends on from any other, and says nothing of it.
CREATE TABLE "secret_check" (
  "id" integer PRIMARY KEY CHECK ("id" = 1),
  "value" text NOT NULL
);
