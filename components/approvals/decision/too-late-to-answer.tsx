import { defaultOption, type InboxApproval } from "@/components/approvals/inbox-approval";
import { Notice } from "@/components/ui/notice";

/** Shown in place of the options after the deadline. */
export function TooLateToAnswer({ approval }: { approval: InboxApproval }) {
  const otherwise = defaultOption(approval);
  return (
    <Notice tone="warn">
      {otherwise ? (
        <>
          Time ran out. Countersign uses the default, “<bdi className="font-semibold">{otherwise.label}</bdi>”.
        </>
      ) : (
        <>
          This question expired without an answer. <bdi>{approval.app.name}</bdi> can ask again.
        </>
      )}
    </Notice>
  );
}
