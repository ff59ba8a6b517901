-- additive
SET lock_timeout = '500ms';

-- When the endpoint was last turned on, if it ever was off. Other shards have their own order of events, so they compare times.
ALTER TABLE "webhook_endpoint" ADD COLUMN "since_time" timestamptz(3);
