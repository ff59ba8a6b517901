"use client";
import { Stamp } from "@/components/approvals/answer-signature";
import { AppContent } from "@/components/approvals/decision/app-content";
import { DecisionFrame, Dock } from "@/components/approvals/decision/decision-frame";
import { OutcomeReports } from "@/components/approvals/decision/outcome-reports";
import { OwnerQuestionsToApp } from "@/components/approvals/decision/owner-questions-to-app";
import { ResolutionCard } from "@/components/approvals/decision/resolution-card";
import { ApprovalMenu } from "@/components/approvals/decision/snooze-and-more-menu";
import { addressOf, answeredBy, answerLine, type InboxApproval } from "@/components/approvals/inbox-approval";
import { type InboxHead, InboxHeader } from "@/components/approvals/list/inbox-header";
import { rowGrid } from "@/components/approvals/list/rows/inbox-row";
import { isWide, useOpenApproval } from "@/components/approvals/list/use-open-approval";
import { Instead, SplitView } from "@/components/approvals/split-view";
import { useKeys } from "@/components/keyboard/key-bindings";
import { useFocus } from "@/components/triage/fallback-focus";
import { useListStore } from "@/components/triage/use-list-store";
import { AppIcon } from "@/components/ui/app-icon";
import { HighlightMatches } from "@/components/ui/highlight-matches";
import { HistoryFilters } from "./history-filters";
import { LatestOutcome } from "./latest-outcome";

/** The answers of one day ("Today"), each with its time on the owner's clock. */
export type AnsweredDay = { day: string; answers: { approval: InboxApproval; clock: string }[] };

type HistoryProps = {
  days: AnsweredDay[];
  /** The search words to highlight. */
  words: string | undefined;
  /** The decision that the URL names, if it is not among the rows. */
  extra: InboxApproval | undefined;
  opened: string | undefined;
  query: string;
  listAddress: string;
  head: InboxHead;
  bottom: React.ReactNode;
  empty: React.ReactNode;
};

/** Past decisions by day, next to the open decision. The view is read-only. */
export function History({ days, words, extra, opened, query, listAddress, head, bottom, empty }: HistoryProps) {
  const store = useListStore(opened);
  const selected = store.state.named;
  const { select } = useOpenApproval(store, query, listAddress);
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
      top={<InboxHeader {...head} fields={<HistoryFilters {...head} />} />}
      bottom={bottom}
      empty={empty}
      isEmpty={rows.length === 0}
      list={days.map(({ day, answers }) => (
        <section key={day} aria-label={day}>
          <h2 className="px-4 pt-3.5 pb-1.5 text-xs font-semibold text-muted sm:px-5">{day}</h2>
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

/** One answer in the list: a link to its own URL. On a phone, it is a card. */
function HistoryRow({ approval, clock, words, open, query, onOpen }: HistoryRowProps) {
  const { app, resolution } = approval;
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
        className={`${rowGrid} pointer-coarse:min-h-14 lg:aria-[current=true]:bg-fill forced-colors:lg:aria-[current=true]:outline-2`}
      >
        <AppIcon {...app} className="mt-0.5 size-7" />
        <span className="min-w-0">
          <span dir="auto" className="line-clamp-2 compact:line-clamp-1">
            <HighlightMatches text={approval.question} words={words} />
          </span>
          <span className="flex text-xs text-muted">
            <bdi className="max-w-1/2 shrink-0 truncate">
              <HighlightMatches text={app.name} words={words} />
            </bdi>
            <span className="shrink-0 whitespace-pre"> · {answeredBy(approval, resolution)}: </span>
            <bdi className="truncate font-medium text-ink">
              <HighlightMatches text={answerLine(approval, resolution)} words={words} />
            </bdi>
            <span className="ms-2">
              <Stamp {...{ approval, resolution }} />
            </span>
          </span>
          <LatestOutcome approval={approval} />
        </span>
        <span className="text-xs leading-5 text-muted tabular-nums">{clock}</span>
      </a>
    </li>
  );
}

type PastProps = { approval: InboxApproval; listAddress: string; onBack: () => void };

/** One past decision. */
const Past = ({ approval, listAddress, onBack }: PastProps) => (
  <DecisionFrame
    back={{ href: listAddress, label: "Answered", onBack }}
    tools={<ApprovalMenu approval={approval} open={false} />}
    dock={
      <Dock>
        {approval.resolution ? <ResolutionCard approval={approval} resolution={approval.resolution} /> : null}
        <OutcomeReports approval={approval} />
      </Dock>
    }
  >
    <AppContent approval={approval} />
    <OwnerQuestionsToApp approval={approval} />
  </DecisionFrame>
);
