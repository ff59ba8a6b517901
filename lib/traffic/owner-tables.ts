import type { OwnerTable } from "@/lib/database/owner-table";

/** Kept for a week, and on the developer's pages meanwhile. */
export const requests: OwnerTable = { table: "api_request", withheld: "whole" };
