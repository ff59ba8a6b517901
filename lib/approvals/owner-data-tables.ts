import { allBut, columnNames, type ExportedTable } from "@/lib/database/owner-data-table";
import { type Sql, sql } from "@/lib/database/sql";
import { Prisma } from "@/lib/generated/prisma/client";

export const pendingApprovals: ExportedTable = {
  table: "approval",
  columns: columnNames(`
    id app_id question options background_context recommendation status resolution created_at resolved_at
    expires_at default_option_id owner_only once signed_by_owner risk facts fields picked content_hash deadline_passed_at simulated
    due_at frozen_at`),
  withheld: columnNames("owner_id question_json thread_json undelivered match"),
  // This condition spells out the conditions of two partial indexes, because no single index covers
  // all pending approvals.
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
  table: "approval_triage",
  ...allBut("owner_id held_hash reminded_at remind_mailed_at", Prisma.ApprovalTriageScalarFieldEnum),
  paged: { columns: ["approval_id"] },
};

export const questions: ExportedTable = {
  table: "approval_question",
  ...allBut("owner_id", Prisma.ApprovalQuestionScalarFieldEnum),
  paged: { columns: ["approval_id", "nth"] },
};

export const additions: ExportedTable = {
  table: "approval_addition",
  ...allBut("owner_id", Prisma.ApprovalAdditionScalarFieldEnum),
  paged: { columns: ["approval_id", "nth"] },
};

export const uses: ExportedTable = {
  table: "approval_use",
  ...allBut("owner_id key_hash refused_at", Prisma.ApprovalUseScalarFieldEnum),
  paged: { columns: ["approval_id"] },
};

export const outcomes: ExportedTable = {
  table: "approval_outcome",
  ...allBut("owner_id", Prisma.ApprovalOutcomeScalarFieldEnum),
  paged: { columns: ["approval_id", "nth"] },
};

/** SQL: the IDs of the apps that asked an owner. */
export const appsThatAsked = (ownerId: string): Sql => sql`
  SELECT app_id
  FROM approval
  WHERE owner_id = ${ownerId}`;
