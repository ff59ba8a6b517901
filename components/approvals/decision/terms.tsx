import { defaultOption, type InboxApproval } from "@/components/approvals/types";

type TermsProps = {
  approval: InboxApproval;
  /** Whether it can still be answered, or its answer be undone. */
  pending: boolean;
};

/** What the question is about, and what happens if no one answers it. */
export function Terms({ approval, pending }: TermsProps) {
  const otherwise = pending ? defaultOption(approval) : undefined;
  if (!otherwise) return null;
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-5 gap-y-2">
      <dt className="text-muted">Otherwise</dt>
      <dd className="font-medium">
        <bdi>{otherwise.label}</bdi>
      </dd>
    </dl>
  );
}
