import { Notice } from "@/components/ui/notice";

/** A warning above a question whose text could pass for the page's own. */
export const ImpersonationNotice = ({ name }: { name: string }) => (
  <Notice tone="warn">
    <bdi>{name}</bdi> wrote this question, not Countersign. We never ask for your password in a question.
  </Notice>
);

/** A note below a question from an app that can't read the answer. */
export const RevokedNotice = () => (
  <Notice tone="warn">
    This app’s access was revoked, so it can’t read your answer. You can still answer to clear the question.
  </Notice>
);
