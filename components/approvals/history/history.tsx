"use client";
import { AppContent } from "@/components/approvals/decision/app-content";
import { ApprovalMenu } from "@/components/approvals/decision/approval-actions";
import { Clarifications } from "@/components/approvals/decision/clarifications";
import { DecisionFrame, Dock } from "@/components/approvals/decision/frame";
import { LatestOutcome, Outcomes } from "@/components/approvals/decision/outcomes";
import { delayInWords, ResolutionCard } from "@/components/approvals/decision/resolution";
import { isWide, useOpenApproval } from "@/components/approvals/list/use-open-approval";
import { Instead, SplitView } from "@/components/approvals/split-view";
import { Stamp } from "@/components/approvals/stamp";
import { addressOf, answeredBy, answerLine, type InboxApproval } from "@/components/approvals/types";
import { useKeys } from "@/components/keys/keys";
import { useFocus } from "@/components/triage/focus";
import { AppIcon } from "@/components/ui/app-icon";

/** The answers of one day ("Today"), each with its time on the owner's clock. */
export type AnsweredDay = { day: string; answers: { approval: InboxApproval; clock: string }[] };

type HistoryProps = {
  days: AnsweredDay[];
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
export function History({ days, extra, opened, query, listAddress, top, bottom, empty }: HistoryProps) {
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
  open: boolean;
  query: string;
  onOpen: () => void;
};

/** One answer in the list: a link to its own URL. On a phone, a card. */
function HistoryRow({ approval, clock, open, query, onOpen }: HistoryRowProps) {
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
            <bdi className="truncate">{app.name}</bdi>
            <span className="shrink-0 tabular-nums">
              {clock}
              <span className="max-lg:hidden xl:inline"> · {delayInWords(resolution.resolvedAt - created)}</span>
            </span>
          </span>
          <span dir="auto" className="line-clamp-2 text-muted">
            {approval.question}
          </span>
          <span className="flex">
            <span className="shrink-0 whitespace-pre text-muted">{answeredBy(approval, resolution)}: </span>
            <bdi className="me-2 truncate font-medium">{answerLine(approval, resolution)}</bdi>
            <Stamp {...{ approval, resolution }} />
          </span>
          <LatestOutcome approval={approval} />
        </span>
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
        <Outcomes approval={approval} />
      </Dock>
    }
  >
    <AppContent approval={approval} />
    <Clarifications approval={approval} />
  </DecisionFrame>
);
