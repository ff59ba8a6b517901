"use client";
import { useEffect, useRef, useState } from "react";
import { needsPasskey } from "@/components/approvals/answer-signature";
import { UnexpectedForm } from "@/components/approvals/decision/report-unexpected-question";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { useConnection } from "@/components/live/connection-and-refresh";
import { PasskeySignature } from "./passkey-signature";
import { Seal } from "./seal-icon";
import { usePressAndHold } from "./use-press-and-hold";

type StepProps = {
  approval: InboxApproval;
  /** The answer's form fields, without those of the steps. */
  answer: Record<string, string>;
  /**
   * Goes to the next step. After the last step, sends the answer with the form fields of all steps.
   */
  onDone: (fields?: Record<string, string>) => void;
};

type Step = (props: StepProps) => React.ReactNode;

/**
 * Returns the steps for signing an approval's answer, in order. The touch of a passkey replaces
 * holding the button.
 */
export const stepsOf = ({ match, sign }: InboxApproval): Step[] => [
  ...(match && match.picked === undefined ? [NumberStep] : []),
  needsPasskey({ sign }) ? PasskeyStep : HoldStep,
];

const PasskeyStep = ({ approval, answer, onDone }: StepProps) => (
  <PasskeySignature several={[approval]} answer={answer} onSign={(signature) => onDone({ signature })} />
);

const focusOn = (element: HTMLElement | null) => element?.focus();

/**
 * The owner picks the number that the app shows. A correct number proves that the owner sees that
 * app.
 */
function NumberStep({ approval, onDone }: StepProps) {
  const { _id: id, clientId, app, match } = approval;
  const [reports, report] = useState(false);
  // Focuses the heading, so that a key that is still down can't pick a number.
  useEffect(() => document.getElementById("signing")?.focus(), []);
  if (reports)
    return (
      // The section takes the focus, so that a repeated press doesn't press one of its buttons.
      <section
        ref={focusOn}
        tabIndex={-1}
        aria-label="Report question"
        className="arming border-t border-line pt-4 outline-none"
      >
        {/* No default is passed, because a question that has a number has no default. */}
        <UnexpectedForm id={id} app={{ ...app, clientId }} />
      </section>
    );
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line pt-4 text-center">
      <p id="which-number" className="text-muted">
        Which number does <bdi>{app.name}</bdi> show?
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be laid out above a grid */}
      <div role="group" aria-labelledby="which-number" className="grid grid-cols-3 gap-2">
        {match?.numbers.map((number) => (
          <button
            key={number}
            type="button"
            onClick={() => onDone({ picked: number })}
            className="min-h-14 rounded-lg border border-transparent bg-fill text-lg font-semibold tabular-nums hover:border-edge"
          >
            {number}
          </button>
        ))}
      </div>
      <p className="text-muted">
        Number not listed?
        <button
          type="button"
          onClick={() => report(true)}
          className="ms-1 inline-flex min-h-10 items-center px-1 font-semibold text-danger underline underline-offset-3"
        >
          Report question
        </button>
      </p>
    </div>
  );
}

const names = { rest: "Hold to sign", holding: "Keep holding…", armed: "Press again to sign", signed: "Signed" };

/**
 * The step in which the owner holds a button until their stroke of the seal is drawn, or presses
 * the button twice.
 */
function HoldStep({ onDone }: StepProps) {
  const { phase, early, button } = usePressAndHold(() => onDone());
  const isOffline = useConnection() === "offline";
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const hint = isOffline
    ? "You’re offline. Sign when you’re back online."
    : phase === "armed"
      ? "Not sent yet"
      : phase === "holding"
        ? ""
        : early
          ? "Not sent yet. Hold longer, or press twice."
          : "Or press twice";
  return (
    <div className="grid grid-cols-1 justify-items-center gap-1 border-t border-line pt-4 text-center">
      <button
        ref={ref}
        type="button"
        {...button}
        disabled={isOffline}
        data-holding={phase === "holding" ? "" : undefined}
        aria-describedby="how-to-sign"
        className="grid touch-none justify-items-center gap-3 rounded-2xl px-6 py-2 text-base font-semibold select-none [-webkit-touch-callout:none] disabled:opacity-55"
      >
        <Seal signed={false} />
        {names[phase]}
      </button>
      <p id="how-to-sign" role="status" className="min-h-5 text-muted">
        {hint}
        {phase === "armed" ? <span className="sr-only">. {names.armed}.</span> : null}
      </p>
    </div>
  );
}
