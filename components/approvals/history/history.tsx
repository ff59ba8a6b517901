"use client";
import { AppContent } from "@/components/approvals/decision/app-content";
import { Clarifications } from "@/components/approvals/decision/clarifications";
import { LatestOutcome, Outcomes } from "@/components/approvals/decision/outcomes";
import { Reference } from "@/components/approvals/decision/reference";
import { ResolutionCard, span } from "@/components/approvals/decision/resolution";
import { isWide, useOpenApproval } from "@/components/approvals/list/use-open-approval";
import { BackToList, Instead, SplitView } from "@/components/approvals/split-view";
import { addressOf, answeredBy, answerLine, type InboxApproval } from "@/components/approvals/types";
import { useKeys } from "@/components/keys/keys";
import { useFocus } from "@/components/triage/focus";
import { AppIcon } from "@/components/ui/app-icon";
import { Marked } from "@/components/ui/marked";

/** The answers of one day ("Today"), each with its time on the owner's clock. */
export type AnsweredDay = { day: string; answers: { approval: InboxApproval; clock: string }[] };

type HistoryProps = {
  days: AnsweredDay[];
  /** The search, whose words are marked. */
  words: string | undefined;
  /** The decision in the URL, which may not be among the rows. */
  extra: InboxApproval | undefined;
  opened: string | undefined;
  query: string;
  listAddress: string;
  top: React.ReactNode;
  bottom: React.ReactNode;
  empty: React.ReactNode;
};

/** Past decisions by day, with the open one next to them; read-only. */
export function History({ days, words, extra, opened, query, listAddress, top, bottom, empty }: HistoryProps) {
  const { selected, select } = useOpenApproval(opened, query, listAddress);
  const rows = days.flatMap(({ answers }) => answers.map(({ approval }) => approval));
  const current = [...rows, ...(extra ? [extra] : [])].find(({ _id }) => _id === selected) ?? rows[0];
  const alone = selected !== undefined;
  const focusOn = useFocus();

  const toList = () => {
    select(undefined);
    if (current) focusOn(`[data-row="${current._id}"]`);
  };
  const move = (step: 1 | -1) => () => {
    const here = isWide() ? current?._id : document.activeElement?.getAttribute("data-row");
    const to = rows[rows.findIndex(({ _id }) => _id === here) + step];
    if (!to) return;
    if (isWide()) select(to);
    focusOn(`[data-row="${to._id}"]`);
  };
  useKeys("Answered", [
    { keys: "j", description: "Next answer", run: move(1) },
    { keys: "k", description: "Previous answer", run: move(-1) },
    { keys: "Escape", run: () => (alone && !isWide() ? toList() : false) },
  ]);

  return (
    <SplitView
      title="Answered"
      alone={alone}
      top={top}
      bottom={bottom}
      empty={empty}
      isEmpty={rows.length === 0}
      list={days.map(({ day, answers }) => (
        <section key={day} aria-label={day}>
          <h2 className="border-line px-4 pt-3 pb-1.5 text-xs font-semibold text-muted sm:border-y sm:bg-bg sm:py-1.5">
            {day}
          </h2>
          <ul>
            {answers.map(({ approval, clock }) => (
              <HistoryRow
                key={approval._id}
                approval={approval}
                clock={clock}
                words={words}
                open={approval._id === current?._id}
                query={query}
                onOpen={() => {
                  select(approval);
                  focusOn("#question");
                }}
              />
            ))}
          </ul>
        </section>
      ))}
      decision={
        current ? <Past approval={current} listAddress={listAddress} onBack={toList} /> : <Instead>{empty}</Instead>
      }
    />
  );
}

type HistoryRowProps = {
  approval: InboxApproval;
  /** The answer's time of day on the owner's clock: "14:02". */
  clock: string;
  words: string | undefined;
  open: boolean;
  query: string;
  onOpen: () => void;
};

/** One answer in the list: a link to its own URL. On a phone, a card. */
function HistoryRow({ approval, clock, words, open, query, onOpen }: HistoryRowProps) {
  const { app, resolution, _creationTime: created } = approval;
  if (!resolution) return null;
  return (
    <li className="[content-visibility:auto] [contain-intrinsic-size:auto_5.5rem]">
      <a
        href={addressOf(approval._id) + query}
        data-row={approval._id}
        {...(open ? { "aria-current": "true" as const } : {})}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          onOpen();
        }}
        className="grid min-h-18 grid-cols-[auto_minmax(0,1fr)] items-start gap-3 px-4 py-3 -outline-offset-2 hover:bg-raised max-sm:mx-3 max-sm:mb-2 max-sm:rounded-xl max-sm:border max-sm:border-line max-sm:bg-raised max-sm:sm:border-b sm:border-line sm:border-s-3 sm:border-s-transparent lg:aria-[current=true]:border-s-ink lg:aria-[current=true]:bg-fill"
      >
        <AppIcon {...app} className="mt-0.5 size-8" />
        <span className="min-w-0">
          <span className="flex items-baseline justify-between gap-3 text-xs text-muted">
            <bdi className="truncate">
              <Marked text={app.name} words={words} />
            </bdi>
            <span className="shrink-0 tabular-nums">
              {clock}
              <span className="max-lg:hidden xl:inline"> · after {span(resolution.resolvedAt - created)}</span>
            </span>
          </span>
          <span dir="auto" className="line-clamp-2 text-muted">
            <Marked text={approval.question} words={words} />
          </span>
          <span className="flex">
            <span className="shrink-0 whitespace-pre text-muted">{answeredBy(approval, resolution)}: </span>
            <bdi className="truncate font-medium">
              <Marked text={answerLine(approval, resolution)} words={words} />
            </bdi>
          </span>
          <LatestOutcome approval={approval} />
        </span>
      </a>
    </li>
  );
}

type PastProps = { approval: InboxApproval; listAddress: string; onBack: () => void };

/** One past decision. */
function Past({ approval, listAddress, onBack }: PastProps) {
  return (
    <article
      aria-labelledby="question"
      data-decision
      className="mx-auto grid max-w-[46rem] grid-cols-1 gap-4 px-4 py-3 sm:px-6 lg:py-6"
    >
      <BackToList href={listAddress} onBack={onBack}>
        Answered
      </BackToList>
      <AppContent approval={approval} />
      <Clarifications approval={approval} />
      {approval.resolution ? <ResolutionCard approval={approval} resolution={approval.resolution} /> : null}
      <Outcomes approval={approval} />
      <footer className="text-xs text-muted">
        <Reference id={approval._id} />
      </footer>
    </article>
  );
}
