import type { OwnerTable } from "@/lib/database/owner-data-table";

/** The rows are kept for a week, during which the developer pages show them. */
export const requests: OwnerTable = { table: "api_request", withheld: "whole" };
