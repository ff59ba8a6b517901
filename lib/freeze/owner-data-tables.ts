import { allBut, type ExportedTable } from "@/lib/database/owner-data-table";
import { Prisma } from "@/lib/generated/prisma/client";

export const freezes: ExportedTable = {
  table: "app_freeze",
  ...allBut("owner_id stopped_at", Prisma.AppFreezeScalarFieldEnum),
};
