import { columnNames, type ExportedTable, type OwnerTable } from "@/lib/database/owner-data-table";

/**
 * The event log, which is append-only. After an account deletion, the owner's events stay under an
 * ID that belongs to no one.
 */
export const activity: ExportedTable = {
  table: "event",
  columns: columnNames("id app_id type subject data created_at"),
  withheld: columnNames("owner_id tx"),
  paged: { columns: ["id"] },
};

/** The table that records which events are in the archive. */
export const removed: OwnerTable = { table: "event_removed", withheld: "whole" };
