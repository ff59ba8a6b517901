import { csvLine } from "@/lib/text/csv";
import { factLines } from "./facts";
import type { OwnerApproval } from "./owner-view";

/** Returns one answer as a flat row of text, with times in ISO 8601 (UTC). */
function row(approval: OwnerApproval) {
  const { _id, _creationTime, clientId, app, question, options, resolution, triage, byDefault } = approval;
  const last = approval.outcomes.at(-1);
  const option = options.find(({ id }) => id === resolution?.optionId);
  return {
    asked: iso(_creationTime),
    seen: triage.seenAt === undefined ? "" : iso(triage.seenAt),
    answered: resolution ? iso(resolution.resolvedAt) : "",
    by: resolution ? (resolution.resolvedBy === "owner" ? "you" : byDefault ? "default" : "app") : "",
    app: app.name,
    app_id: clientId,
    question,
    answer: resolution?.otherText ?? option?.label ?? resolution?.optionId ?? "",
    kind: resolution?.kind ?? "",
    option_id: resolution?.optionId ?? "",
    note: resolution?.note ?? "",
    id: _id,
    asked_back: texts(approval.questions),
    added: texts(approval.additions),
    happened: last?.status ?? "",
    happened_at: last ? iso(last.reportedAt) : "",
    happened_text: last?.text ?? "",
    happened_link: last?.link ?? "",
    risk: approval.risk ?? "",
    facts: factLines(approval.facts).join("\n"),
    used_at: approval.usedAt === undefined ? "" : iso(approval.usedAt),
    withdrawn_at: approval.withdrawnAt === undefined ? "" : iso(approval.withdrawnAt),
    values: resolution?.values ? JSON.stringify(resolution.values) : "",
  };
}

const texts = (entries: { text: string }[]) => entries.map(({ text }) => text).join("\n\n");
const iso = (time: number) => new Date(time).toISOString();

/** Formats answers as one JSON object per line (JSON Lines), including the options and facts. */
export const answersAsJsonLines = (approvals: readonly OwnerApproval[]): string =>
  approvals
    .map(
      (approval) => `${JSON.stringify({ ...row(approval), options: approval.options, facts: approval.facts ?? [] })}\n`,
    )
    .join("");

/** The CSV header line with the column names. */
export const answersHeader = csvLine([
  ...["asked", "seen", "answered", "by", "app", "app_id", "question", "answer", "kind", "option_id", "note", "id"],
  ...["asked_back", "added", "happened", "happened_at", "happened_text", "happened_link", "risk", "facts"],
  ...["used_at", "withdrawn_at", "values"],
]);

export const answersAsCsv = (approvals: readonly OwnerApproval[]): string =>
  approvals.map((approval) => csvLine(Object.values(row(approval)))).join("");
