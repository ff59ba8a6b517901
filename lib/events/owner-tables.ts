import { columnNames, type ExportedTable, type OwnerTable } from "@/lib/database/owner-table";

/**
 * The log is append-only: after an account deletion it stays, under an ID that no longer belongs to
 * anyone.
 */
export const activity: ExportedTable = {
  table: "event",
  columns: columnNames("id app_id type subject data created_at"),
  withheld: columnNames("owner_id tx"),
  paged: { columns: ["id"] },
};

/** Records which events are in the archive. */
export const removed: OwnerTable = { table: "event_removed", withheld: "whole" };
