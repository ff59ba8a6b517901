import type { OwnerTable } from "@/lib/database/owner-table";

export const replies: OwnerTable = { table: "idempotency", withheld: "whole" };
