import { memo } from "react";
import { Danger } from "@/components/approvals/danger";
import { Stamp } from "@/components/approvals/stamp";
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
} from "@/components/approvals/types";
import { shouldKeepFocus } from "@/components/triage/focus";
import { AppIcon } from "@/components/ui/app-icon";
import { Countdown } from "@/components/ui/time/countdown";
import { Deadline } from "@/components/ui/time/deadline";
import { ExactTime } from "@/components/ui/time/exact-time";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { plural } from "@/lib/text/plural";

export type RowProps = {
  approval: InboxApproval;
  answer: AnswerState | undefined;
  open: boolean;
  /** The query parameters to keep: tab and filter. */
  query: string;
  unread: boolean;
  /** Whether the row is selected; absent if it cannot be. */
  selected?: boolean;
  /** Whether a press selects the row. */
  picking: boolean;
  /** Must be stable; otherwise every row re-renders. */
  on: {
    select: (approval: InboxApproval) => void;
    open: (approval: InboxApproval) => void;
  };
};

/**
 * One question in the list: a link to its own URL, next to its checkbox. Memoized,
 * so that moving to the next question re-renders two rows.
 */
export const Row = memo(function Row({ approval, answer, open, query, unread, selected, picking, on }: RowProps) {
  const { app } = approval;
  const standing = answerStatusOf(approval, answer);
  const fades = standing.kind !== "open";
  return (
    <li ref={shouldKeepFocus} className="group/row relative">
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
        className={`grid min-h-18 grid-cols-[auto_minmax(0,1fr)] items-start gap-3 border-b border-line border-s-3 border-s-transparent px-4 py-3 -outline-offset-2 [-webkit-touch-callout:none] hover:bg-raised pointer-coarse:select-none compact:min-h-11 compact:py-1 lg:min-h-16 compact:lg:min-h-11 lg:aria-[current=true]:border-s-ink lg:aria-[current=true]:bg-fill ${selected ? "bg-fill" : ""}`}
      >
        <AppIcon
          {...app}
          className={`mt-0.5 size-8 compact:size-7 ${selected === undefined ? "" : selected || picking ? "invisible" : "pointer-fine:group-hover/row:invisible"}`}
        />
        <span className="min-w-0">
          <span className="flex items-baseline gap-2 text-xs text-muted">
            <bdi className="me-auto truncate">{app.name}</bdi>
            {approval.risk === "high" ? (
              <span className="-my-1 self-center">
                <Danger>High risk</Danger>
              </span>
            ) : null}
            {approval.expiresAt !== undefined && standing.kind === "open" ? (
              <span className="shrink-0">
                answer <Deadline at={approval.expiresAt} />
              </span>
            ) : (
              <TimeAgo at={approval._creationTime} className="shrink-0" />
            )}
            {unread ? (
              <span className="size-2 shrink-0 rounded-full bg-ink forced-colors:bg-[Highlight]">
                <span className="sr-only">Unread</span>
              </span>
            ) : null}
          </span>
          <span
            dir="auto"
            className={`line-clamp-2 compact:line-clamp-1 ${fades ? "text-muted" : unread ? "font-semibold" : ""}`}
          >
            {approval.question}
          </span>
          <Status approval={approval} standing={standing} failed={answer?.phase === "failed"} />
        </span>
      </a>
      {selected === undefined ? null : (
        <label
          className={`absolute top-3.5 inset-s-3.5 grid size-9 place-items-center ${selected || picking ? "" : "opacity-0 focus-within:opacity-100 pointer-coarse:hidden pointer-fine:group-hover/row:opacity-100"}`}
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

type StatusProps = { approval: InboxApproval; standing: AnswerStatus; failed: boolean };

function Status({ approval, standing, failed }: StatusProps) {
  if (failed && approval.match?.picked !== "wrong")
    return <span className="block text-xs font-semibold text-danger">Couldn’t answer. Open to try again</span>;
  if (standing.kind === "held")
    return (
      <span className="flex text-xs text-muted">
        <span className="shrink-0 whitespace-pre">Answered: </span>
        <bdi className="truncate font-medium text-ink">{answerLine(approval, standing.resolution)}</bdi>
        <span className="shrink-0 whitespace-pre">
          {" · "}
          {isOver(standing.until) ? "sending" : <Countdown until={standing.until} />}
        </span>
      </span>
    );
  if (standing.kind === "ended") {
    const { resolution } = standing;
    return (
      <span className="flex text-xs text-muted">
        <span className="shrink-0 whitespace-pre">{answeredBy(approval, resolution)}: </span>
        <bdi className="me-2 truncate font-medium text-ink">{answerLine(approval, resolution)}</bdi>
        <Stamp {...{ approval, resolution }} />
      </span>
    );
  }
  if (standing.kind === "passed")
    return <span className="block text-xs font-medium text-warn">Expired without an answer</span>;
  const question = openQuestion(approval);
  if (question && approval.triage.snoozedUntil === undefined)
    return (
      <span className="flex text-xs text-muted">
        <span className="shrink-0 whitespace-pre">You asked: </span>
        <bdi className="truncate">{question.text}</bdi>
        <span className="max-w-1/2 shrink-0 truncate whitespace-pre">
          {" · waiting for "}
          <bdi>{approval.app.name}</bdi>
        </span>
      </span>
    );
  const { length } = approval.options;
  const { snoozedUntil } = approval.triage;
  return (
    <span className="flex flex-wrap gap-x-2 text-xs text-muted compact:hidden">
      {snoozedUntil === undefined ? null : (
        <span>
          Back <ExactTime at={snoozedUntil} /> ·
        </span>
      )}
      {plural(length, { one: "# option", other: "# options" })}
      {suggestedOption(approval) || approval.recommendation ? <span>· suggestion</span> : null}
      {approval.additions.length > 0 ? <span>· details added</span> : null}
      {approval.ownerOnly ? <span>· only you can answer</span> : null}
      {approval.triage.changed ? <span className="text-warn">· changed, please answer again</span> : null}
      {approval.triage.unexpected ? <span className="text-warn">· reported as unexpected</span> : null}
      {approval.app.revoked ? <span className="text-warn">· access revoked, can’t read your answer</span> : null}
    </span>
  );
}

const isOver = (until: number) => until <= performance.now();
