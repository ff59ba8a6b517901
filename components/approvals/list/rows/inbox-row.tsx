import { memo } from "react";
import { Stamp } from "@/components/approvals/answer-signature";
import {
  type AnswerState,
  type AnswerStatus,
  addressOf,
  answeredBy,
  answerLine,
  answerStatusOf,
  type InboxApproval,
  openQuestion,
  suggestedOption,
} from "@/components/approvals/inbox-approval";
import { shouldKeepFocus } from "@/components/triage/fallback-focus";
import { AppIcon } from "@/components/ui/app-icon";
import { HighlightMatches } from "@/components/ui/highlight-matches";
import { WarningIcon } from "@/components/ui/icons";
import { Countdown } from "@/components/ui/time/countdown";
import { ExactTime, TimeAgo } from "@/components/ui/time/time-ago";
import { TimeLeft } from "./time-left";

export type RowProps = {
  approval: InboxApproval;
  answer: AnswerState | undefined;
  open: boolean;
  /** The query parameters to keep in the row's link: the tab and the filter. */
  query: string;
  unread: boolean;
  /** Whether the question's deadline is within a day. */
  due: boolean;
  /** The search words to highlight. */
  words?: string | undefined;
  /** Whether the row is selected. Absent in lists without selection. */
  selected?: boolean;
  /** Whether a click selects the row instead of opening the question. */
  picking: boolean;
  /** Must be the same object on every render. Otherwise, every row re-renders. */
  on: {
    select: (approval: InboxApproval) => void;
    open: (approval: InboxApproval) => void;
  };
};

/** The classes of a row's grid: the app's icon, two lines of text, and the time. */
export const rowGrid =
  "grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 px-4 py-2.5 -outline-offset-2 hover:bg-fill compact:py-1.5 sm:px-5";

/**
 * One question in the list: a link to the question's URL, next to a checkbox. Memoized, because
 * moving to the next question changes only two rows.
 */
export const Row = memo(function Row({ approval, answer, open, query, picking, on, ...row }: RowProps) {
  const { unread, due, words, selected } = row;
  const standing = answerStatusOf(approval, answer);
  const isPending = standing.kind === "open";
  return (
    <li ref={shouldKeepFocus} className="row group/row relative">
      <a
        href={addressOf(approval._id) + query}
        data-row={approval._id}
        {...(open ? { "aria-current": "true" as const } : {})}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.button !== 0) return;
          event.preventDefault();
          if ((event.shiftKey || picking) && selected !== undefined) on.select(approval);
          else on.open(approval);
        }}
        onKeyDown={(event) => {
          if (!picking || event.key !== " ") return;
          event.preventDefault();
          event.currentTarget.click();
        }}
        className={`${rowGrid} scroll-my-24 [-webkit-touch-callout:none] pointer-coarse:min-h-14 pointer-coarse:select-none lg:aria-[current=true]:bg-fill forced-colors:lg:aria-[current=true]:outline-2 ${selected ? "bg-fill" : ""}`}
      >
        <AppIcon
          {...approval.app}
          className={`mt-0.5 size-7 ${selected === undefined ? "" : selected || picking ? "invisible" : "pointer-fine:group-hover/row:invisible"}`}
        />
        <span className="min-w-0">
          <span
            dir="auto"
            className={`line-clamp-2 compact:line-clamp-1 ${isPending ? (unread ? "font-semibold" : "") : "text-muted"}`}
          >
            <HighlightMatches text={approval.question} words={words} />
          </span>
          <Status approval={approval} standing={standing} failed={answer?.phase === "failed"} words={words} />
        </span>
        <Aside approval={approval} isPending={isPending} due={due} />
        {unread ? <span className="sr-only">Unread</span> : null}
      </a>
      {selected === undefined ? null : (
        <label
          className={`absolute top-1.5 inset-s-2.5 size-10 place-items-center sm:inset-s-3.5 ${selected || picking ? "grid" : "hidden pointer-fine:group-hover/row:grid"}`}
        >
          <input
            type="checkbox"
            checked={selected}
            onChange={() => on.select(approval)}
            tabIndex={-1}
            className="size-5 accent-ink"
          />
          <span className="sr-only">Select: {approval.question}</span>
        </label>
      )}
    </li>
  );
});

type AsideProps = { approval: InboxApproval; isPending: boolean; due: boolean };

/** The icon for a high risk, and the time left or the question's age. */
const Aside = ({ approval: { expiresAt, dueAt = expiresAt, risk, _creationTime }, isPending, due }: AsideProps) => (
  <span className="flex shrink-0 items-center gap-1.5 text-xs leading-5 text-muted">
    {isPending && risk === "high" ? (
      <span className="text-danger">
        <WarningIcon className="size-5" />
        <span className="sr-only">High risk</span>
      </span>
    ) : null}
    {isPending && due && dueAt !== undefined ? (
      <TimeLeft at={dueAt} />
    ) : risk === "high" && isPending ? null : (
      <TimeAgo short at={_creationTime} className="whitespace-nowrap tabular-nums" />
    )}
  </span>
);

type StatusProps = { approval: InboxApproval; standing: AnswerStatus; failed: boolean; words: string | undefined };

/** The second line: the question's status, or the app and its suggestion. */
function Status({ approval, standing, failed, words }: StatusProps) {
  const { app, triage, additions } = approval;
  if (failed && approval.match?.picked !== "wrong")
    return <span className="block text-xs font-semibold text-danger">Couldn’t send your answer. Try again.</span>;
  if (standing.kind === "held")
    return (
      <Line before="Answered: " name={answerLine(approval, standing.resolution)}>
        {standing.until <= performance.now() ? " · sending" : <LeftToUndo until={standing.until} />}
      </Line>
    );
  if (standing.kind === "ended")
    return (
      <Line before={`${answeredBy(approval, standing.resolution)}: `} name={answerLine(approval, standing.resolution)}>
        <span className="ms-2">
          <Stamp approval={approval} resolution={standing.resolution} />
        </span>
      </Line>
    );
  if (standing.kind === "passed") return <span className="block text-xs font-medium text-warn">Expired</span>;
  if (standing.kind === "frozen") return <Line before="Frozen · " name={app.name} />;
  const question = openQuestion(approval);
  if (question && triage.snoozedUntil === undefined)
    return (
      <span className="flex text-xs text-muted compact:hidden">
        <span className="shrink-0 whitespace-pre">You asked </span>
        <bdi className="truncate">{app.name}</bdi>
        <span className="min-w-1/3 truncate whitespace-pre">
          : <bdi>{question.text}</bdi>
        </span>
      </span>
    );
  const note = noteOn(approval);
  const suggested = suggestedOption(approval)?.label ?? approval.recommendation;
  const updated = additions.at(-1)?.createdAt;
  return (
    <span className="flex text-xs text-muted compact:hidden">
      <span className="truncate">
        <bdi>
          <HighlightMatches text={app.name} words={words} />
        </bdi>
        {note ? (
          <span className="text-warn"> · {note}</span>
        ) : triage.snoozedUntil !== undefined ? (
          <>
            {" · returns "}
            <ExactTime at={triage.snoozedUntil} />
          </>
        ) : suggested ? (
          <>
            {" suggests "}
            <bdi>{suggested}</bdi>
          </>
        ) : null}
      </span>
      {updated === undefined ? null : (
        <span className="shrink-0 whitespace-pre">
          {" · updated "}
          <TimeAgo at={updated} />
        </span>
      )}
    </span>
  );
}

/** Returns why the owner should look at the question again, if there is a reason. */
const noteOn = ({ triage, app, match }: InboxApproval): string | undefined => {
  if (triage.changed) return "question changed · answer again";
  if (app.revoked) return "no longer connected";
  if (match?.picked === "wrong") return "wrong number";
  return triage.unexpected ? "you reported this question" : undefined;
};

type LineProps = { before: string; name: string; children?: React.ReactNode };

const Line = ({ before, name, children }: LineProps) => (
  <span className="flex text-xs text-muted">
    <span className="shrink-0 whitespace-pre">{before}</span>
    <bdi className="truncate font-medium text-ink">{name}</bdi>
    <span className="shrink-0 whitespace-pre">{children}</span>
  </span>
);

const LeftToUndo = ({ until }: { until: number }) => (
  <>
    {" · sends in "}
    <Countdown until={until} />
  </>
);
