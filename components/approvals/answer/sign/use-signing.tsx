"use client";
import { useEffect, useState } from "react";
import { isSigned, needsPasskey } from "@/components/approvals/answer-signature";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { SigningSheet } from "@/components/approvals/list/lazy-dialogs";
import { awaitDialog } from "@/components/keyboard/key-bindings";
import type { Answer, Resolution } from "@/lib/approvals/schema";

export type AfterSigning = {
  /** When the undo period ends, as a `performance.now()` value. */
  until: number | undefined;
  /** Whether the answer has been sent but the server has not replied yet. */
  sending: boolean;
  next: InboxApproval | undefined;
  onNext: () => void;
  /** Called when the owner closes the signed answer. */
  onSeen: () => void;
};

type Signing = {
  approval: InboxApproval;
  /** The answer that the owner just gave, if any. */
  given: Resolution | undefined;
  /**
   * Called when the owner chooses an option.
   * @returns whether the option may be signed now
   */
  onChoose: (optionId: string) => boolean;
  onAnswer: (form: FormData) => void;
  after: AfterSigning;
};

/** Returns the answer that a form contains. */
const answerOf = (form: FormData): Pick<Answer, "optionId" | "otherText" | "values" | "note"> => {
  const [optionId, otherText, values] = [form.get("optionId"), form.get("otherText"), form.get("values")];
  const text = String(form.get("note") ?? "");
  const note = text.trim() && { note: text };
  if (optionId === null) return { otherText: String(otherText), ...note };
  return { optionId: String(optionId), ...(values !== null && { values: JSON.parse(String(values)) }), ...note };
};

/**
 * Lets the owner sign an answer on a sheet before it is sent.
 * @returns the sheet, and `opens`. If a form's answer must be signed, `opens` opens the sheet and
 *   returns true
 */
export function useSigning({ approval, given, onChoose, onAnswer, after }: Signing) {
  const [asked, ask] = useState<{ form: FormData; contentHash: string }>();
  const { risk, sign, contentHash } = approval;
  const mayOpen = risk === "high" || needsPasskey({ sign });
  // A changed question needs a new signature.
  const form = !given && asked?.contentHash === contentHash ? asked.form : undefined;
  const answer = form ? answerOf(form) : given && isSigned(approval, given) ? given : undefined;
  const isOpen = answer !== undefined;
  useEffect(() => {
    if (mayOpen) void import("./signing-sheet").catch(() => {});
  }, [mayOpen]);
  // Keys must not reach the page while the sheet loads.
  useEffect(() => {
    if (!isOpen) return;
    awaitDialog(true);
    return () => awaitDialog(false);
  }, [isOpen]);

  const { onSeen, sending, ...signed } = after;
  const sheet = answer ? (
    <SigningSheet
      approval={approval}
      answer={answer}
      signed={
        given && {
          ...signed,
          resolution: given,
          checking: sending && approval.match !== undefined,
          onNext() {
            onSeen();
            after.onNext();
          },
        }
      }
      onSign={(fields) => {
        if (!form) return;
        ask(undefined);
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        onAnswer(form);
      }}
      onClose={() => (given ? onSeen() : ask(undefined))}
    />
  ) : null;
  return {
    sheet,
    opens(form: FormData): boolean {
      const answer = answerOf(form);
      if (!isSigned(approval, answer)) return false;
      if (answer.optionId === undefined || onChoose(answer.optionId)) ask({ form, contentHash });
      return true;
    },
  };
}
