import { columnNames, type ExportedTable, type OwnerTable } from "@/lib/database/owner-table";

/** The log is append-only: of who leaves it stays, under an id that is nobody's. */
export const activity: ExportedTable = {
  table: "event",
  columns: columnNames("id app_id type subject data created_at"),
  withheld: columnNames("owner_id tx"),
  paged: { by: ["id"] },
};

/** It says of the log what is in the archive. */
export const removed: OwnerTable = { table: "event_removed", withheld: "whole" };
