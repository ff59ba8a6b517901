import { columnNames, type ExportedTable, type OwnerTable } from "@/lib/database/owner-data-table";

/** Credentials are in another table, which is deleted with the account and never exported. */
export const linked: ExportedTable = {
  table: "integration",
  columns: columnNames(`
    id provider issuer subject email label status status_reason buckets scopes asked account_name created_at
    checked_at refreshed_at disconnected_at`),
  withheld: columnNames(`
    owner_id token_expires_at check_at failures failing_since lease lease_until erase_at status_before`),
};

export const linkAttempts: OwnerTable = { table: "link_attempt", withheld: "whole" };
