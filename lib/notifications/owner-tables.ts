import { columnNames, type ExportedTable } from "@/lib/database/owner-table";

export const pushedNotifications: ExportedTable = {
  table: "notification",
  columns: columnNames(`
    id app_id title body type data created_at read_at surfaced_at done_at expires_at urgent replaced_at`),
  withheld: columnNames("owner_id dedupe_key"),
  paged: { columns: ["created_at", "id"] },
};
