"use client";
import { WhileConnected } from "@/components/live/while-connected";
import { CopyButton } from "@/components/ui/copy-button";
import { ChevronIcon } from "@/components/ui/icons";
import { AnswerForm } from "./answer-form";
import { Frame } from "./frame";
import { Outcome, tooLate } from "./outcome";
import { type Asked, addressOf, endOf, type PostAnswer, type Sent } from "./types";

type DecisionProps = {
  asked: Asked;
  sent: Sent | undefined;
  /** Whether it has the page to itself. */
  alone: boolean;
  /** "2 of 5", where it stands in the list. */
  place: string | undefined;
  next: Asked | undefined;
  listAddress: string;
  post: PostAnswer;
  onAnswer: (form: FormData) => void;
  onNext: () => void;
  onBack: () => void;
};

/** One decision: what is asked, in the app's frame, and below it our buttons, or how it ended. */
export function Decision({
  asked,
  sent,
  alone,
  place,
  next,
  listAddress,
  post,
  onAnswer,
  onNext,
  onBack,
}: DecisionProps) {
  const end = endOf(asked, sent);
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
            onBack();
          }}
          className="-ml-1.5 inline-flex min-h-11 items-center gap-1 pr-3 text-muted"
        >
          <ChevronIcon className="size-4 rotate-180" />
          Approvals
        </a>
        {place ? <p className="text-muted tabular-nums">{place}</p> : null}
      </div>
      <Frame asked={asked} level={alone ? "h1" : "h2"} />
      {end ? (
        <Outcome
          asked={asked}
          resolution={end}
          {...(sent?.state === "done" && sent.late ? { note: tooLate(asked, end) } : {})}
          {...(next
            ? {
                next: (
                  <a
                    href={addressOf(next._id)}
                    onClick={(event) => {
                      event.preventDefault();
                      onNext();
                    }}
                    className="link font-medium"
                  >
                    Next waiting: <bdi className="line-clamp-1">{next.question}</bdi>
                  </a>
                ),
              }
            : {})}
        />
      ) : !asked.whole ? null : (
        <WhileConnected>
          <AnswerForm
            key={asked._id}
            asked={asked}
            post={post}
            onAnswer={onAnswer}
            {...(sent?.state === "failed" ? { failure: sent.message } : {})}
          />
        </WhileConnected>
      )}
      <footer className="flex flex-wrap items-center gap-x-3 gap-y-2 text-xs text-muted">
        <span className="mono">{asked._id}</span>
        <CopyButton text={asked._id} label="Copy id" variant="quiet" />
        <a href={`/activity?subject=${asked._id}`} className="link inline-flex min-h-11 items-center sm:min-h-8">
          Its activity
        </a>
      </footer>
    </article>
  );
}
