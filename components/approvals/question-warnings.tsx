import { Notice } from "@/components/ui/notice";

/** A warning above a question whose text could pass for the page's own. */
export const ImpersonationNotice = ({ name }: { name: string }) => (
  <Notice tone="warn">
    This question is from <bdi>{name}</bdi>, not Countersign. We never ask for your password in a question.
  </Notice>
);

/** A note below a question from an app that can't read the answer. */
export const RevokedNotice = () => (
  <Notice tone="warn">
    This app no longer has access and can’t read your answer. You can still answer to close the question.
  </Notice>
);
