import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/styled-links";

/** Shown in place of the options while the question's app is frozen. */
export const FrozenQuestion = ({ approval: { expiresAt } }: { approval: InboxApproval }) => (
  <Notice title="This question is frozen">
    {expiresAt === undefined
      ? "To answer, unfreeze its app. "
      : "The deadline stands still. To answer, unfreeze the app. "}
    <TextLink href="/frozen">Review and unfreeze</TextLink>
  </Notice>
);
