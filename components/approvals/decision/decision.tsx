"use client";
import { Act } from "@/components/acts/act";
import { AnswerForm } from "@/components/approvals/answer/answer-form";
import { HeldAnswer } from "@/components/approvals/answer/held-answer";
import { type AnswerState, addressOf, type InboxApproval, type Rules, standingOf } from "@/components/approvals/types";
import { WhileConnected } from "@/components/live/while-connected";
import { ChevronIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { absoluteTime } from "@/components/ui/time/relative-time";
import { ApprovalActions } from "./approval-actions";
import { AskedBack } from "./asked-back";
import { Frame } from "./frame";
import { Outcomes } from "./outcomes";
import { ResolutionCard, tooLate } from "./resolution";
import { StaysPut } from "./stays-put";
import { Terms, TooLateToAnswer } from "./terms";

type DecisionProps = {
  approval: InboxApproval;
  answer: AnswerState | undefined;
  /** Whether it has the page to itself. */
  alone: boolean;
  /** "2 of 5", where it stands in the list. */
  place: string | undefined;
  next: InboxApproval | undefined;
  listAddress: string;
  rules: Rules;
  chosen: string | undefined;
  on: {
    answer: (form: FormData) => void;
    choose: (optionId: string) => boolean;
    ask: (form: FormData) => Promise<string | undefined>;
    undo: () => void;
    sendNow: () => void;
    snooze: () => void;
    bringBack: () => void;
    mute: (as: boolean) => void;
    next: () => void;
    back: () => void;
  };
};

/** One decision: what is asked, in the app's frame, and below it our buttons, or how it ended. */
export function Decision({ approval, answer, alone, place, next, listAddress, rules, chosen, on }: DecisionProps) {
  const standing = standingOf(approval, answer);
  const { app, desk } = approval;
  const late = standing.kind === "ended" && (answer?.phase === "beaten" || desk.overtaken);
  return (
    <article
      aria-labelledby="question"
      data-decision
      className="mx-auto grid max-w-[46rem] grid-cols-1 gap-4 px-4 py-3 sm:px-6 lg:py-6"
    >
      <div className="flex min-h-11 items-center justify-between lg:hidden">
        <a
          href={listAddress}
          onClick={(event) => {
            event.preventDefault();
            on.back();
          }}
          className="-ml-1.5 inline-flex min-h-11 items-center gap-1 pr-3 text-muted"
        >
          <ChevronIcon className="size-4 rotate-180" />
          Approvals
        </a>
        {place ? <p className="text-muted tabular-nums">{place}</p> : null}
      </div>
      <Frame
        approval={approval}
        level={alone ? "h1" : "h2"}
        {...(standing.kind === "open" ? { onMute: () => on.mute(true) } : {})}
      />
      {standing.kind === "open" || standing.kind === "held" ? <Terms approval={approval} /> : null}
      <AskedBack approval={approval} />
      {desk.changed && standing.kind === "open" ? (
        <Notice tone="warn" title="Your answer was not sent">
          The question changed before it was. Look again, then answer.
        </Notice>
      ) : null}
      {desk.snoozedUntil !== undefined && standing.kind === "open" ? (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg border border-line bg-surface px-3.5 py-2">
          <p suppressHydrationWarning>Put off: it comes back {absoluteTime(desk.snoozedUntil)}</p>
          <Act
            key={approval._id}
            of="approval.bring-back"
            with={{ ids: approval._id }}
            onSend={on.bringBack}
            size="small"
          >
            Bring back now
          </Act>
        </div>
      ) : null}
      {standing.kind === "ended" ? (
        <ResolutionCard
          approval={approval}
          resolution={standing.resolution}
          {...(late ? { note: tooLate(approval, standing.resolution) } : {})}
          {...(next
            ? {
                next: (
                  <a
                    href={addressOf(next._id)}
                    onClick={(event) => {
                      event.preventDefault();
                      on.next();
                    }}
                    className="link font-medium"
                  >
                    Next waiting: <bdi className="line-clamp-1">{next.question}</bdi>
                  </a>
                ),
              }
            : {})}
        />
      ) : standing.kind === "held" ? (
        <HeldAnswer
          {...{ approval, resolution: standing.resolution, until: standing.until }}
          onUndo={on.undo}
          onSendNow={on.sendNow}
        />
      ) : standing.kind === "passed" ? (
        <TooLateToAnswer approval={approval} />
      ) : !approval.whole ? null : (
        <WhileConnected>
          <AnswerForm
            key={approval._id}
            approval={approval}
            onAnswer={on.answer}
            onAsk={on.ask}
            confirms={rules.alwaysConfirm || app.alwaysConfirm}
            chosen={chosen}
            onChoose={on.choose}
            {...(answer?.phase === "failed" ? { failure: answer.message } : {})}
          />
        </WhileConnected>
      )}
      <Outcomes approval={approval} />
      <StaysPut
        which="[data-decision] form[aria-label='Your answer']"
        of={approval._id}
        when={approval.additions.length}
      />
      <ApprovalActions
        approval={approval}
        open={standing.kind === "open"}
        snoozes={rules.snoozes}
        onSnooze={on.snooze}
        onMute={on.mute}
      />
    </article>
  );
}
