import { allBut, type ExportedTable } from "@/lib/database/owner-data-table";
import { Prisma } from "@/lib/generated/prisma/client";

export const pushedNotifications: ExportedTable = {
  table: "notification",
  ...allBut("owner_id dedupe_key", Prisma.NotificationScalarFieldEnum),
  paged: { columns: ["created_at", "id"] },
};
