-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- What agents have asked and waits goes on being found by its words.
UPDATE "approval" AS a SET "untold" = true FROM "idempotency" AS i
  WHERE i."operation" = 'askOwner' AND a."id" = i."reply"::json ->> 'id' AND a."status" = 'pending';
