import type { OwnerTable } from "@/lib/database/owner-data-table";

/** Not exported. The developer pages show these rows, and they are deleted after a week. */
export const requests: OwnerTable = { table: "api_request", withheld: "whole" };
