-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- A browser that shows alerts goes on doing so in the session that takes the place of its own.
CREATE FUNCTION "keep_push_subscriptions"(whose text, before text, after text) RETURNS void LANGUAGE sql AS $$
  UPDATE "push_subscription" SET "session_id" = after WHERE "session_id" = before AND "owner_id" = whose;
$$;

-- No browser of theirs shows alerts any more but those of one session; also browsers whose session ran out, which is no longer
-- there to be ended.
CREATE FUNCTION "end_push_subscriptions"(whose text, but text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM "push_subscription" WHERE "owner_id" = whose AND "session_id" <> but;
$$;
