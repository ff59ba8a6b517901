import { allBut, type ExportedTable } from "@/lib/database/owner-data-table";
import { type Sql, sql } from "@/lib/database/sql";
import { Prisma } from "@/lib/generated/prisma/client";

export const pushedNotifications: ExportedTable = {
  table: "notification",
  ...allBut("owner_id dedupe_key", Prisma.NotificationScalarFieldEnum),
  paged: { columns: ["created_at", "id"] },
};

/** SQL: the IDs of the apps that notified an owner. */
export const appsThatNotified = (ownerId: string): Sql => sql`
  SELECT app_id
  FROM notification
  WHERE owner_id = ${ownerId}`;
