import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { ExactTime } from "@/components/ui/time/time-ago";

/**
 * Shows whether the answer was used or withdrawn. Until either happens, the owner can withdraw the
 * answer to a question with `once`.
 */
export function AnswerUse({ approval }: { approval: InboxApproval }) {
  const { _id: id, app, once, usedAt, usedBy, withdrawnAt, resolution } = approval;
  const name = <bdi>{app.name}</bdi>;
  if (usedAt !== undefined)
    return (
      <p className="mt-1.5 text-xs text-muted">
        {usedBy === "receipt" ? "Used by a program with the receipt" : <>Used by {name}</>} · <ExactTime at={usedAt} />
      </p>
    );
  if (withdrawnAt !== undefined)
    return (
      <p className="mt-1.5 font-medium">
        You withdrew this answer · <ExactTime at={withdrawnAt} />
      </p>
    );
  if (!once || resolution?.resolvedBy !== "owner") return null;
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
      <p className="text-xs text-muted">Not used yet</p>
      <ConfirmButton
        act="approval.withdraw"
        fields={{ id }}
        label="Withdraw answer"
        question="Withdraw your answer?"
        variant="secondary"
      >
        {name} can no longer act on this answer. To act, the app must ask you again.
      </ConfirmButton>
    </div>
  );
}
