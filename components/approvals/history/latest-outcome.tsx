import { outcomeWords } from "@/components/approvals/decision/outcome-reports";
import { hostOf, type InboxApproval } from "@/components/approvals/inbox-approval";

/**
 * The latest report in one line: "Outcome: Done · Deployed build 418 (ci.example)". If the owner
 * withdrew the answer, says so instead.
 */
export function LatestOutcome({ approval }: { approval: InboxApproval }) {
  if (approval.withdrawnAt !== undefined) return <span className="font-medium text-ink">Withdrawn</span>;
  const last = approval.outcomes.at(-1);
  if (!last) return null;
  return (
    <span className="flex">
      <span className="shrink-0 whitespace-pre text-muted">Outcome: </span>
      <span className={`shrink-0 font-medium ${last.status === "failed" ? "text-danger" : ""}`}>
        {outcomeWords[last.status]}
      </span>
      {last.text || last.link ? (
        <span className="ms-1 truncate text-muted">
          {last.text ? (
            <>
              {" · "}
              <bdi>{last.text}</bdi>
            </>
          ) : null}
          {last.link ? (
            <>
              {" "}
              (<bdi>{hostOf(last.link)}</bdi>)
            </>
          ) : null}
        </span>
      ) : null}
    </span>
  );
}
