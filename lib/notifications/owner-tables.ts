import { names, type TakenTable } from "@/lib/owner-table";

export const told: TakenTable = {
  table: "notification",
  columns: names(`
    id app_id title body type data created_at read_at surfaced_at done_at expires_at urgent replaced_at`),
  withheld: names("owner_id dedupe_key"),
  paged: { by: ["created_at", "id"] },
};
