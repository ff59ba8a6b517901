import type { OwnerTable } from "@/lib/database/owner-table";

/** The archive has its own download. */
export const parts: OwnerTable = { table: "archive_part", withheld: "whole" };
