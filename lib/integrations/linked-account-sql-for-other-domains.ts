import { type Sql, sql } from "@/lib/database/sql";

/* SQL about linked accounts for other domains, in addition to the view `linked_account`. */

/**
 * SQL: an owner's account, as a row to join LATERAL. The row has the provider and, until 30 days
 * after a removal, the display name.
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

/** SQL: the data that apps get with an event `e` about a changed account status, as JSON. */
export const toldStatus = sql`(
  SELECT json_build_object(
    'id', i.id, 'provider', i.provider, 'status', e.data -> 'to', 'was', e.data -> 'from'
  )
  FROM integration i
  WHERE i.id = e.subject
)`;
