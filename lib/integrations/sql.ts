import { type Sql, sql } from "@/lib/database/sql";

/* What other domains' statements ask of linked accounts, beside the view `linked_account`. */

/** The provider of an owner's account, and until 30 days after it was removed what they call it: a row to join LATERAL. */
export const accountCalled = (id: Sql, ownerId: string): Sql => sql`(SELECT i.provider,
    CASE WHEN i.disconnected_at IS NULL OR i.disconnected_at > now() - interval '30 days' THEN coalesce(i.label, i.email) END AS name
  FROM integration i WHERE i.id = ${id} AND i.owner_id = ${ownerId})`;

/** What apps are told of an event `e` about one: JSON. */
export const toldStatus = sql`(SELECT json_build_object('id', i.id, 'provider', i.provider, 'status', e.data -> 'to', 'was', e.data -> 'from')
  FROM integration i WHERE i.id = e.subject)`;
