SET lock_timeout = '2s';

-- Of families that there were before, their oldest token tells. Apart, so that nobody waits for it but who holds such a row.
UPDATE "refresh_token" AS t SET "began_at" = f."began_at"
  FROM (SELECT "family_id", min("created_at") AS "began_at" FROM "refresh_token" GROUP BY "family_id") AS f
  WHERE f."family_id" = t."family_id";
