"use client";
import { ActionButton } from "@/components/actions/action-button";
import { AnswerForm } from "@/components/approvals/answer/answer-form";
import { HeldAnswer } from "@/components/approvals/answer/held-answer";
import { BackToList } from "@/components/approvals/split-view";
import {
  type AnswerState,
  type AnswerStatus,
  addressOf,
  answerStatusOf,
  type InboxApproval,
  type Rules,
} from "@/components/approvals/types";
import { Notice } from "@/components/ui/notice";
import { ExactTime } from "@/components/ui/time/exact-time";
import { AppContent } from "./app-content";
import { ApprovalActions } from "./approval-actions";
import { Clarifications } from "./clarifications";
import { Constraints, TooLateToAnswer } from "./constraints";
import { Outcomes } from "./outcomes";
import { LateCard, ResolutionCard } from "./resolution";
import { ScrollAnchor } from "./scroll-anchor";
import { WrongNumber } from "./wrong-number";

type DecisionProps = {
  approval: InboxApproval;
  answer: AnswerState | undefined;
  /** "2 of 5", its position in the list. */
  place: string | undefined;
  next: InboxApproval | undefined;
  listAddress: string;
  rules: Rules;
  chosen: string | undefined;
  /** Whether a press came before presses count. */
  tooSoon: boolean;
  on: {
    answer: (form: FormData) => void;
    choose: (optionId: string) => boolean;
    /**
     * Called when an answer is held back: a press right after it does not count. Returns false
     * while presses do not count.
     */
    holdBack: () => boolean;
    ask: (form: FormData) => Promise<string | undefined>;
    snooze: () => void;
    next: () => void;
    /** The owner is done with the answer in view. */
    seen: () => void;
    back: () => void;
  };
};

/** One decision: the question in the app's frame, and below it our buttons or its result. */
export function Decision(props: DecisionProps) {
  const { approval, answer, place, listAddress, rules, chosen, tooSoon, on } = props;
  const standing = answerStatusOf(approval, answer);
  const open = standing.kind === "open";
  const isWrong = open && approval.match?.picked === "wrong";
  const given = answer?.leaveAt !== undefined && "outcome" in answer ? answer.outcome : undefined;
  return (
    <article
      aria-labelledby="question"
      data-decision
      className="mx-auto grid max-w-[46rem] grid-cols-1 gap-4 px-4 py-3 sm:px-6 lg:py-6"
    >
      <div className="flex min-h-11 items-center justify-between lg:hidden">
        <BackToList href={listAddress} onBack={on.back}>
          Approvals
        </BackToList>
        {place ? <p className="text-muted tabular-nums">{place}</p> : null}
      </div>
      <AppContent approval={approval} open={open} />
      {open || standing.kind === "held" ? <Constraints approval={approval} /> : null}
      <Clarifications approval={approval} />
      {open ? <BeforeAnswering approval={approval} /> : null}
      {given ? null : <Result {...props} standing={standing} />}
      {isWrong ? <WrongNumber approval={approval} /> : null}
      {approval.whole && (given || open) && !isWrong ? (
        <AnswerForm
          key={approval._id}
          approval={approval}
          onAnswer={on.answer}
          onAsk={on.ask}
          confirms={rules.alwaysConfirm || approval.app.alwaysConfirm || approval.risk === "high"}
          chosen={chosen}
          onChoose={on.choose}
          holdBack={on.holdBack}
          tooSoon={tooSoon}
          given={given}
          after={{
            until: standing.kind === "held" ? standing.until : undefined,
            sending: answer?.phase === "sending",
            next: props.next,
            onNext: on.next,
            onSeen: on.seen,
          }}
          {...(answer?.phase === "failed" ? { failure: answer.message } : {})}
        />
      ) : null}
      <Outcomes approval={approval} />
      <ScrollAnchor which="[data-decision] [data-bar]" of={approval._id} when={approval.additions.length} />
      <ApprovalActions approval={approval} open={open} snoozes={rules.snoozes} onSnooze={on.snooze} />
    </article>
  );
}

/** Why an answer was not sent, and until when the question is snoozed. */
const BeforeAnswering = ({ approval: { _id: id, triage } }: Pick<DecisionProps, "approval">) => (
  <>
    {triage.changed ? (
      <Notice tone="warn" title="Your answer was not sent">
        The question changed before you answered. Review it, then answer again.
      </Notice>
    ) : null}
    {triage.snoozedUntil !== undefined ? (
      <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-pane forced-colors:border px-3.5 py-2">
        <p>
          Snoozed until <ExactTime at={triage.snoozedUntil} />
        </p>
        <ActionButton key={id} of="approval.bring-back" with={{ ids: id }} size="small">
          Bring back now
        </ActionButton>
      </div>
    ) : null}
  </>
);

/** How the question ended, or the answer that is held. */
function Result({ approval, answer, next, on, standing }: DecisionProps & { standing: AnswerStatus }) {
  const beaten = answer?.phase === "beaten" ? answer : undefined;
  const onwards = next ? <NextLink next={next} onNext={on.next} /> : null;
  switch (standing.kind) {
    case "ended":
      return beaten || approval.triage.overtaken ? (
        <LateCard
          approval={approval}
          decided={{ ...standing.resolution, byDefault: beaten?.outcome.byDefault }}
          sent={beaten?.sent ?? true}
          next={next}
          onNext={on.next}
        />
      ) : (
        <ResolutionCard approval={approval} resolution={standing.resolution} next={onwards} />
      );
    case "held":
      return <HeldAnswer {...{ approval, resolution: standing.resolution, until: standing.until, next: onwards }} />;
    case "passed":
      return <TooLateToAnswer approval={approval} next={onwards} />;
    case "open":
      return null;
  }
}

const NextLink = ({ next, onNext }: { next: InboxApproval; onNext: () => void }) => (
  <a
    href={addressOf(next._id)}
    onClick={(event) => {
      event.preventDefault();
      onNext();
    }}
    className="link font-medium"
  >
    Next question: <bdi className="line-clamp-1">{next.question}</bdi>
  </a>
);
