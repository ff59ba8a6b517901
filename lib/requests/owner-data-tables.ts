import type { OwnerTable } from "@/lib/database/owner-data-table";

export const replies: OwnerTable = { table: "idempotency", withheld: "whole" };
