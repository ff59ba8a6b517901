import type { OwnerTable } from "@/lib/owner-table";

export const replies: OwnerTable = { table: "idempotency", withheld: "whole" };
