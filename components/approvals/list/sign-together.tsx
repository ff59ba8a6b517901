"use client";
import { PasskeySignature } from "@/components/approvals/answer/sign/passkey-signature";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { Button } from "@/components/ui/button";

type SignTogetherProps = {
  several: [InboxApproval, ...InboxApproval[]];
  label: string | undefined;
  answer: Record<string, string>;
  onSign: (signature: string) => void;
  onBack: () => void;
};

/** One signature for all answers, of a statement that lists every question. */
export const SignTogether = ({ several, label, answer, onSign, onBack }: SignTogetherProps) => (
  <div className="grid grid-cols-1 gap-3">
    <p>
      <span className="text-muted">Your answer to all {several.length} questions:</span> {label}
    </p>
    {answer.note?.trim() ? (
      <p dir="auto" className="line-clamp-3 whitespace-pre-line">
        <span className="text-muted">Your note:</span> {answer.note}
      </p>
    ) : null}
    <PasskeySignature {...{ several, answer, onSign }} />
    <Button variant="quiet" onClick={onBack}>
      Back
    </Button>
  </div>
);
