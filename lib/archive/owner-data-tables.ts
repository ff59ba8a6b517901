import type { OwnerTable } from "@/lib/database/owner-data-table";

/** The owner downloads the archive separately. */
export const parts: OwnerTable = { table: "archive_part", withheld: "whole" };
