-- additive
SET lock_timeout = '500ms';

-- The highest number of all shards so far. A removed shard's number stays in IDs, and in the memory of running instances,
-- so no other shard gets the number.
CREATE SEQUENCE "shard_number" MINVALUE 0;
SELECT setval('shard_number', (SELECT max("number") FROM "shard"));
