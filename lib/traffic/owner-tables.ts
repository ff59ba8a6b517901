import type { OwnerTable } from "@/lib/database/owner-table";

/** Kept for a week, during which the developer pages show it. */
export const requests: OwnerTable = { table: "api_request", withheld: "whole" };
