import type { OwnerTable } from "@/lib/database/owner-data-table";
import { sql } from "@/lib/database/sql";

/**
 * The public keys of receipts. They belong to no owner, but an owner's receipts stay verifiable only
 * with them.
 */
export const publicKeyTable: OwnerTable = { table: "receipt_key", condition: () => sql`true`, withheld: "whole" };
