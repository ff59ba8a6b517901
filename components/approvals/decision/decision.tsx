"use client";
import { ActionButton } from "@/components/actions/action-button";
import { AnswerForm } from "@/components/approvals/answer/answer-form";
import { HeldAnswer } from "@/components/approvals/answer/held-answer";
import { useAnswerValues } from "@/components/approvals/answer/values/use-answer-values";
import {
  type AnswerState,
  type AnswerStatus,
  answerStatusOf,
  type InboxApproval,
  type Rules,
  wrongNumber,
} from "@/components/approvals/inbox-approval";
import { lazyPart, lazyView } from "@/components/layout/lazy-component";
import { Notice } from "@/components/ui/notice";
import { ExactTime } from "@/components/ui/time/time-ago";
import { AppContent } from "./app-content";
import { DecisionFrame, Dock } from "./decision-frame";
import { NextQuestion } from "./next-question";
import { ResolutionCard } from "./resolution-card";
import { ScrollAnchor } from "./scroll-anchoring";
import { ApprovalMenu, SnoozeClock } from "./snooze-and-more-menu";

const AnswerValues = lazyPart(() => import("../answer/values/answer-values").then((it) => it.AnswerValues));
const Frozen = lazyView(() => import("./frozen-question").then((it) => it.FrozenQuestion));
const LateCard = lazyView(() => import("./late-card").then((it) => it.LateCard));
const OutcomeReports = lazyView(() => import("./outcome-reports").then((it) => it.OutcomeReports));
const OwnerQuestionsToApp = lazyView(() => import("./owner-questions-to-app").then((it) => it.OwnerQuestionsToApp));
const TooLateToAnswer = lazyView(() => import("./too-late-to-answer").then((it) => it.TooLateToAnswer));
const PasskeyMissing = lazyView(() => import("./passkey-missing").then((it) => it.PasskeyMissing));
const WrongNumber = lazyPart(() => import("./wrong-number-picked").then((it) => it.WrongNumber));

type DecisionProps = {
  approval: InboxApproval;
  answer: AnswerState | undefined;
  /** The question's position in the list, such as "2 of 5". */
  place: string | undefined;
  next: InboxApproval | undefined;
  /** Whether the page advances to the next question a few seconds after an answer. */
  leaves: boolean;
  listAddress: string;
  rules: Rules;
  chosen: string | undefined;
  /** Whether the last press came too soon after the question appeared. */
  tooSoon: boolean;
  on: {
    answer: (form: FormData) => void;
    /** Selects an option. Passing undefined cancels the selection. */
    choose: (optionId: string | undefined) => boolean;
    /**
     * Called when an answer is blocked because text is unread. Returns false if the press came too
     * soon to count.
     */
    holdBack: () => boolean;
    ask: (form: FormData) => Promise<string | undefined>;
    snooze: () => void;
    next: () => void;
    /** Called when the owner has finished viewing the result. */
    seen: () => void;
    back: () => void;
  };
};

/**
 * One decision: the question in the app's words and, at the bottom, the service's buttons or the
 * result.
 */
export function Decision(props: DecisionProps) {
  const { approval, answer, place, listAddress, rules, chosen, tooSoon, on } = props;
  const standing = answerStatusOf(approval, answer);
  const open = standing.kind === "open";
  const failure = answer?.phase === "failed" ? answer.message : undefined;
  const isWrong = open && (approval.match?.picked === "wrong" || failure === wrongNumber);
  const values = useAnswerValues(approval);
  const given = answer?.leaveAt !== undefined && "outcome" in answer ? answer.outcome : undefined;
  const answers =
    approval.whole && (given || open) && !isWrong && approval.sign !== "impossible" ? (
      <AnswerForm
        key={approval._id}
        approval={approval}
        onAnswer={on.answer}
        completes={values.completes}
        onAsk={on.ask}
        confirms={rules.alwaysConfirm || approval.app.alwaysConfirm}
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
        {...(failure ? { failure } : {})}
      />
    ) : null;
  return (
    <DecisionFrame
      back={{ href: listAddress, label: "Approvals", onBack: on.back }}
      place={place}
      tools={
        <>
          {open ? <SnoozeClock approval={approval} snoozes={rules.snoozes} onSnooze={on.snooze} /> : null}
          <ApprovalMenu approval={approval} open={open} />
        </>
      }
      dock={given || open ? answers : <Result {...props} standing={standing} />}
    >
      <AppContent approval={approval} open={open} pending={open || standing.kind === "held"} />
      {approval.questions.length > 0 ? <OwnerQuestionsToApp approval={approval} /> : null}
      {open ? <BeforeAnswering {...{ approval, values, isWrong }} /> : null}
      <ScrollAnchor which="[data-decision] [data-bar]" of={approval._id} when={approval.additions.length} />
    </DecisionFrame>
  );
}

type BeforeAnsweringProps = Pick<DecisionProps, "approval"> & {
  values: ReturnType<typeof useAnswerValues>;
  /** Whether a wrong number was picked. */
  isWrong: boolean;
};

/**
 * The parts of an open question above its options: its fields, when the snooze ends, and why an
 * answer was not sent or can't be given.
 */
const BeforeAnswering = ({ approval, values, isWrong }: BeforeAnsweringProps) => (
  <>
    <SnoozeAndChange approval={approval} />
    {approval.fields && approval.whole && !isWrong ? (
      <AnswerValues key={approval._id} approval={approval} values={values} />
    ) : null}
    {isWrong ? <WrongNumber approval={approval} /> : null}
    {approval.sign === "impossible" ? <PasskeyMissing /> : null}
  </>
);

/** Explains that the question changed before the answer, and when the snooze ends. */
const SnoozeAndChange = ({ approval: { _id: id, triage } }: Pick<DecisionProps, "approval">) => (
  <>
    {triage.changed ? (
      <Notice tone="warn" title="Your answer wasn’t sent">
        The question changed before you answered. Review it, then answer again.
      </Notice>
    ) : null}
    {triage.snoozedUntil !== undefined ? (
      <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-pane forced-colors:border px-3.5 py-2">
        <p>
          Snoozed until <ExactTime at={triage.snoozedUntil} />
        </p>
        <ActionButton key={id} of="approval.bring-back" with={{ ids: id }} size="small">
          End snooze
        </ActionButton>
      </div>
    ) : null}
  </>
);

/** Shows how the question ended, or the answer while it can still be undone. */
function Result({ approval, answer, next, leaves, on, standing }: DecisionProps & { standing: AnswerStatus }) {
  const beaten = answer?.phase === "beaten" ? answer : undefined;
  if (standing.kind === "ended" && (beaten || approval.triage.overtaken))
    return (
      <Dock>
        <LateCard
          approval={approval}
          decided={{ ...standing.resolution, byDefault: beaten?.outcome.byDefault }}
          sent={beaten?.sent ?? true}
          next={next}
          onNext={on.next}
        />
      </Dock>
    );
  return (
    <Dock>
      {standing.kind === "ended" ? <ResolutionCard approval={approval} resolution={standing.resolution} /> : null}
      {standing.kind === "held" ? (
        <HeldAnswer approval={approval} resolution={standing.resolution} until={standing.until} />
      ) : null}
      {standing.kind === "passed" ? <TooLateToAnswer approval={approval} /> : null}
      {standing.kind === "frozen" ? <Frozen approval={approval} /> : null}
      {approval.outcomes.length > 0 ? <OutcomeReports approval={approval} /> : null}
      {next ? (
        <NextQuestion
          key={approval._id}
          next={next}
          leaves={leaves && standing.kind !== "passed" && answer !== undefined}
          onNext={on.next}
        />
      ) : null}
    </Dock>
  );
}
