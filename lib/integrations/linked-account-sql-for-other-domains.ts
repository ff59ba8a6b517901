import { type Sql, sql } from "@/lib/database/sql";

/*
 * SQL about linked accounts for other domains' queries, in addition to the view `linked_account`.
 */

/**
 * Returns SQL for an owner's account, as a row to join with LATERAL. The row has the provider and
 * the account's name. The name is NULL once the account has been removed for 30 days.
 */
export const accountCalled = (id: Sql, ownerId: string): Sql => sql`(
  SELECT i.provider,
    CASE
      WHEN i.disconnected_at IS NULL OR i.disconnected_at > now() - interval '30 days'
        THEN coalesce(i.label, i.email)
    END AS name
  FROM integration i
  WHERE i.id = ${id} AND i.owner_id = ${ownerId}
)`;

/**
 * SQL: the data, as JSON, that apps get with an event `e` about an account whose status changed.
 */
export const toldStatus = sql`(
  SELECT json_build_object(
    'id', i.id, 'provider', i.provider, 'status', e.data -> 'to', 'was', e.data -> 'from'
  )
  FROM integration i
  WHERE i.id = e.subject
)`;
