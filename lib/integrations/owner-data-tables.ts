import { columnNames, type ExportedTable, type OwnerTable } from "@/lib/database/owner-data-table";
import { type Sql, sql } from "@/lib/database/sql";

/** Credentials are in a separate table, which is deleted with the account and never exported. */
export const linked: ExportedTable = {
  table: "integration",
  columns: columnNames(`
    id provider issuer subject email label status status_reason buckets scopes asked account_name created_at
    checked_at refreshed_at disconnected_at`),
  withheld: columnNames(`
    owner_id token_expires_at check_at failures failing_since lease lease_until erase_at status_before`),
};

export const linkAttempts: OwnerTable = { table: "link_attempt", withheld: "whole" };

/** Deleting a linked account deletes its credential. */
export const credentials: OwnerTable = { table: "integration_secret", withheld: "whole" };

/** SQL: the data keys that encrypt an owner's credentials. */
export const keysOfCredentials = (ownerId: string): Sql => sql`
  SELECT key_id
  FROM integration_secret
  WHERE owner_id = ${ownerId}`;
