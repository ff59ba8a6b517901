import { columnNames, type ExportedTable, type OwnerTable } from "@/lib/database/owner-data-table";
import { type Sql, sql } from "@/lib/database/sql";

export const endpoints: ExportedTable = {
  table: "webhook_endpoint",
  columns: columnNames("id app_id url description types state disabled_reason created_at"),
  withheld: columnNames("owner_id failures failing_since since since_time"),
};

/**
 * Deliveries to the owner's endpoints, and deliveries about the owner to others' endpoints. They
 * are not exported, because the developer pages show them and they are deleted after a week.
 */
export const deliveries: OwnerTable = {
  table: "webhook_delivery",
  condition: (ownerId) =>
    sql`t.owner_id = ${ownerId}
      OR t.endpoint_id IN (SELECT id FROM webhook_endpoint WHERE owner_id = ${ownerId})`,
  withheld: "whole",
};

/** The secrets' endpoints belong to the owner. Deleting an endpoint deletes its secrets. */
export const secrets: OwnerTable = {
  table: "webhook_secret",
  condition: (ownerId) => sql`t.endpoint_id IN (
    SELECT id FROM webhook_endpoint WHERE owner_id = ${ownerId}
  )`,
  withheld: "whole",
};

/** SQL: the data keys that encrypt the secrets of an owner's endpoints. */
export const keysOfSecrets = (ownerId: string): Sql => sql`
  SELECT s.key_id
  FROM webhook_secret s JOIN webhook_endpoint e ON e.id = s.endpoint_id
  WHERE e.owner_id = ${ownerId}`;
