import type { OwnerTable } from "@/lib/database/owner-table";

/** Downloaded by itself. */
export const parts: OwnerTable = { table: "archive_part", withheld: "whole" };
