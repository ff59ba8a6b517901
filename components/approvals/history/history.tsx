"use client";
import { AskedBack } from "@/components/approvals/decision/asked-back";
import { Frame } from "@/components/approvals/decision/frame";
import { Outcomes } from "@/components/approvals/decision/outcomes";
import { ResolutionCard } from "@/components/approvals/decision/resolution";
import { isWide, useOpenApproval } from "@/components/approvals/list/use-open-approval";
import { Instead, Panes } from "@/components/approvals/panes";
import type { InboxApproval } from "@/components/approvals/types";
import { useKeys } from "@/components/keys/keys";
import { useFocus } from "@/components/triage/focus";
import { CopyButton } from "@/components/ui/copy-button";
import { ChevronIcon } from "@/components/ui/icons";
import { HistoryRow } from "./history-row";

/** The answers of one day ("Today"), each with its time of day on the owner's clock. */
export type AnsweredDay = { day: string; answers: { approval: InboxApproval; clock: string }[] };

type HistoryProps = {
  days: AnsweredDay[];
  /** The decision that the address names, when it may not be among the rows. */
  extra: InboxApproval | undefined;
  opened: string | undefined;
  query: string;
  listAddress: string;
  top: React.ReactNode;
  bottom: React.ReactNode;
  empty: React.ReactNode;
};

/** What was decided, day by day, and beside it the open one: read-only. */
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
  const move = (by: 1 | -1) => () => {
    const here = isWide() ? current?._id : document.activeElement?.getAttribute("data-row");
    const to = rows[rows.findIndex(({ _id }) => _id === here) + by];
    if (!to) return;
    if (isWide()) select(to);
    focusOn(`[data-row="${to._id}"]`);
  };
  useKeys("Answered", [
    { keys: "j", says: "Next answer", run: move(1) },
    { keys: "k", says: "Previous answer", run: move(-1) },
    { keys: "Escape", run: () => (alone && !isWide() ? toList() : false) },
  ]);

  return (
    <Panes
      title="Answered"
      alone={alone}
      top={top}
      bottom={bottom}
      empty={empty}
      isEmpty={rows.length === 0}
      list={days.map(({ day, answers }) => (
        <section key={day} aria-label={day}>
          <h3 className="border-line px-4 pt-3 pb-1.5 text-xs font-semibold text-muted sm:border-y sm:bg-bg sm:py-1.5">
            {day}
          </h3>
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
        current ? (
          <Past approval={current} alone={alone} listAddress={listAddress} onBack={toList} />
        ) : (
          <Instead>{empty}</Instead>
        )
      }
    />
  );
}

type PastProps = { approval: InboxApproval; alone: boolean; listAddress: string; onBack: () => void };

/** One decision that is made. */
function Past({ approval, alone, listAddress, onBack }: PastProps) {
  return (
    <article
      aria-labelledby="question"
      data-decision
      className="mx-auto grid max-w-[46rem] grid-cols-1 gap-4 px-4 py-3 sm:px-6 lg:py-6"
    >
      <a
        href={listAddress}
        onClick={(event) => {
          event.preventDefault();
          onBack();
        }}
        className="-ml-1.5 inline-flex min-h-11 items-center gap-1 justify-self-start pr-3 text-muted lg:hidden"
      >
        <ChevronIcon className="size-4 rotate-180" />
        Answered
      </a>
      <Frame approval={approval} level={alone ? "h1" : "h2"} />
      <AskedBack approval={approval} />
      {approval.resolution ? <ResolutionCard approval={approval} resolution={approval.resolution} /> : null}
      <Outcomes approval={approval} />
      <footer className="flex flex-wrap items-center gap-x-3 gap-y-2 text-xs text-muted">
        <span className="mono">{approval._id}</span>
        <CopyButton key={approval._id} text={approval._id} label="Copy id" variant="quiet" />
        <a href={`/activity?subject=${approval._id}`} className="link inline-flex min-h-11 items-center sm:min-h-8">
          Its activity
        </a>
      </footer>
    </article>
  );
}
