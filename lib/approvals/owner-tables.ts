import { columnNames, type ExportedTable } from "@/lib/database/owner-table";
import { sql } from "@/lib/database/sql";

export const pendingApprovals: ExportedTable = {
  table: "approval",
  columns: columnNames(`
    id app_id question options background_context recommendation status resolution created_at resolved_at
    expires_at default_option_id owner_only risk facts picked content_hash deadline_passed_at simulated`),
  withheld: columnNames("owner_id wire talk untold match"),
  // This condition repeats the conditions of two indexes, because no single index covers both.
  paged: {
    columns: ["created_at", "id"],
    only: sql`t.status = 'pending'
      AND (t.deadline_passed_at IS NULL OR t.deadline_passed_at IS NOT NULL)`,
  },
};
export const resolvedApprovals: ExportedTable = {
  ...pendingApprovals,
  paged: { columns: ["resolved_at", "id"], only: sql`t.status = 'resolved'` },
};

export const approvalTriage: ExportedTable = {
  table: "approval_desk",
  columns: columnNames(`
    approval_id seen_at snoozed_until returned_at unexpected_at held_answer commit_at overtaken_at changed_at
    asked_back_at`),
  withheld: columnNames("owner_id held_hash reminded_at remind_mailed_at"),
  paged: { columns: ["approval_id"] },
};

export const questions: ExportedTable = {
  table: "approval_question",
  columns: columnNames("approval_id nth text created_at told_at"),
  withheld: ["owner_id"],
  paged: { columns: ["approval_id", "nth"] },
};

export const additions: ExportedTable = {
  table: "approval_addition",
  columns: columnNames("approval_id nth text created_at"),
  withheld: ["owner_id"],
  paged: { columns: ["approval_id", "nth"] },
};

export const outcomes: ExportedTable = {
  table: "approval_outcome",
  columns: columnNames("approval_id nth status text link created_at"),
  withheld: ["owner_id"],
  paged: { columns: ["approval_id", "nth"] },
};
