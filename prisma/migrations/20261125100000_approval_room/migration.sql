-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- How many more approvals of a grant's app may wait for its owner. Until the transaction ends nobody else is told for the same
-- grant, and those who were told before are counted, which is why it is volatile: each of its queries sees what is committed by then.
CREATE FUNCTION "approval_room"("grant" text, "owner" text, "app" text, "most" integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('submit ' || "grant", 0));
  RETURN "most" - (SELECT count(*) FROM (
    SELECT FROM "open_approval" p WHERE p."owner_id" = "owner" AND p."app_id" = "app" LIMIT "most") AS waiting);
END $$;
