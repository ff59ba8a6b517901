"use client";
import { useState } from "react";
import { ShownValues } from "@/components/approvals/answer/values/shown-values";
import { Facts } from "@/components/approvals/decision/facts";
import { answerLine, type InboxApproval } from "@/components/approvals/inbox-approval";
import { fieldsOf } from "@/components/approvals/list/answers/answer-requests";
import { AppIcon } from "@/components/ui/app-icon";
import { Button } from "@/components/ui/button";
import { WarningIcon } from "@/components/ui/icons";
import { useModal } from "@/components/ui/use-modal";
import type { Answer } from "@/lib/approvals/schema";
import { Signed, type SignedProps } from "./signed-answer";
import { stepsOf } from "./signing-steps";

export type SigningSheetProps = {
  approval: InboxApproval;
  /** The answer to sign. */
  answer: Pick<Answer, "optionId" | "otherText" | "values" | "note">;
  /** Whether the answer has been signed. */
  signed: Omit<SignedProps, "approval" | "onClose"> | undefined;
  /** Called with the form fields of all steps. */
  onSign: (fields: Record<string, string>) => void;
  onClose: () => void;
};

/** The dialog in which the owner signs a high-risk answer. Nothing is sent before the last step. */
export function SigningSheet({ approval, answer, signed, onSign, onClose }: SigningSheetProps) {
  return (
    <dialog
      ref={useModal(onClose)}
      aria-labelledby="signing"
      aria-describedby="signing-facts"
      className="mx-0 mt-auto mb-0 max-h-[calc(100dvh-1rem)] w-full max-w-none overflow-y-auto rounded-t-2xl bg-raised px-6 pt-6 pb-[calc(1rem+env(safe-area-inset-bottom))] text-ink shadow-float transition-[opacity,translate] forced-colors:border sm:m-auto sm:w-120 sm:rounded-2xl starting:translate-y-1 starting:opacity-0"
    >
      {signed ? <Signed {...{ approval, onClose, ...signed }} /> : <Asked {...{ approval, answer, onSign }} />}
    </dialog>
  );
}

/** The answer as it will be signed, and the steps. */
function Asked({ approval, answer, onSign }: Pick<SigningSheetProps, "approval" | "answer" | "onSign">) {
  const [steps] = useState(() => stepsOf(approval));
  const [done, setDone] = useState<Record<string, string>[]>([]);
  const { app, options } = approval;
  const isDangerous = options.find(({ id }) => id === answer.optionId)?.style === "danger";
  const Step = steps[done.length];
  const number = done.find(({ picked }) => picked)?.picked;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex items-start gap-3">
        <AppIcon {...app} className="size-11" />
        <div className="min-w-0">
          <p className="text-xs text-muted">
            {isDangerous ? (
              <>
                <bdi>{app.name}</bdi> will
              </>
            ) : (
              <>
                Your answer to <bdi>{app.name}</bdi>
              </>
            )}
          </p>
          <h2 id="signing" tabIndex={-1} dir="auto" className="line-clamp-4 text-lg outline-none">
            {answerLine(approval, { ...answer, kind: "option", resolvedBy: "owner", resolvedAt: 0 })}
          </h2>
        </div>
      </div>
      <WhatIsSigned {...{ approval, answer }} />
      {number === undefined ? null : (
        <div className="flex items-center justify-between gap-3">
          <p>
            <span className="text-muted">Number</span> <b className="text-lg tabular-nums">{number}</b>
          </p>
          <Button variant="quiet" size="small" className="-me-2" onClick={() => setDone([])}>
            Change
          </Button>
        </div>
      )}
      {Step ? (
        <Step
          approval={approval}
          answer={fieldsOf({ ...answer, kind: "option", resolvedBy: "owner", resolvedAt: 0 })}
          onDone={(fields = {}) => {
            const all = [...done, fields];
            setDone(all);
            if (all.length === steps.length) onSign(Object.assign({}, ...all));
          }}
        />
      ) : null}
      <form method="dialog" className="flex justify-center">
        <Button type="submit" variant="quiet">
          Cancel
        </Button>
      </form>
    </div>
  );
}

/** The question, and the parts of the answer that the owner signs. */
function WhatIsSigned({ approval, answer }: Pick<SigningSheetProps, "approval" | "answer">) {
  const { app, options, question, facts } = approval;
  const option = options.find(({ id }) => id === answer.optionId);
  return (
    <div id="signing-facts" className="grid grid-cols-1 gap-3">
      <p dir="auto" className="line-clamp-3 text-muted">
        {question}
      </p>
      <Facts facts={facts} />
      <ShownValues approval={approval} values={answer.values} />
      {answer.note ? (
        <p dir="auto" className="line-clamp-3 whitespace-pre-line">
          <span className="text-muted">Your note:</span> {answer.note}
        </p>
      ) : null}
      {option?.style === "danger" ? (
        <p className="flex gap-2 font-medium text-danger">
          <WarningIcon />
          <span className="min-w-0">
            {option.note ? (
              <bdi>{option.note}</bdi>
            ) : (
              <>
                <bdi>{app.name}</bdi> marks this answer as dangerous.
              </>
            )}
          </span>
        </p>
      ) : option?.note ? (
        <p dir="auto">{option.note}</p>
      ) : null}
    </div>
  );
}
