import type { OwnerTable } from "@/lib/database/owner-table";

/** Has a download of its own. */
export const parts: OwnerTable = { table: "archive_part", withheld: "whole" };
