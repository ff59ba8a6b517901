import { inboxUrl } from "@/components/approvals/inbox-url";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/icons";
import { ButtonLink } from "@/components/ui/styled-links";
import type { Round } from "@/lib/approvals/inbox-queries";
import type { ApprovalFilter } from "@/lib/approvals/schema";

type NothingHereProps = {
  filter: ApprovalFilter;
  /** Whether the owner or an app has ever answered. */
  hasAnswers: boolean;
  /** The recent answers that emptied the list, if any. */
  round: Round | undefined;
  /**
   * Whether the server listed any questions. If so, the browser shows this component after the last
   * answer.
   */
  waits: boolean;
  /** Whether a listed question is frozen, so that it can't be answered yet. */
  frozen: boolean;
  /** The first steps, for an owner who has never answered an app. */
  firstSteps?: React.ReactNode;
  /** The cursor from which to continue a search that is incomplete. */
  next?: string | undefined;
};

/** Explains why the list is empty: no results, no answers yet, or all questions answered. */
export function EmptyList({ filter, hasAnswers, round, waits, frozen, firstSteps, next }: NothingHereProps) {
  const { list, sort: _, after, ...narrowed } = filter;
  const isHistory = list === "answered";
  const isFiltered = Object.keys(narrowed).length > 0;
  if (isFiltered || after)
    return (
      <EmptyState
        title={isHistory ? "No answers found" : "No questions found"}
        action={
          <ButtonLink href={inboxUrl({ list })}>{isFiltered ? "Clear filters" : "Back to the first page"}</ButtonLink>
        }
      >
        {next ? "You can keep searching." : isFiltered && "Change or clear the filters."}
      </EmptyState>
    );
  if (isHistory) return <EmptyState title="No answers yet">Your answers appear here, newest first.</EmptyState>;
  if (list === "snoozed")
    return <EmptyState title="No snoozed questions">Snoozed questions appear here until their snooze ends.</EmptyState>;
  if (list === "passed") return <EmptyState title="No expired questions" />;
  if (frozen)
    return (
      <EmptyState title="Frozen questions" action={<ButtonLink href="/frozen">Review and unfreeze</ButtonLink>}>
        You can answer them after you unfreeze their apps.
      </EmptyState>
    );
  if (firstSteps) return firstSteps;
  if (hasAnswers || waits) return <ClosingMoment round={round} />;
  return (
    <EmptyState
      title="No questions yet"
      action={<ButtonLink href="/developer?from=approvals">Register an app or send a test question</ButtonLink>}
    >
      Questions from your apps appear here.
    </EmptyState>
  );
}

/** The summary in an empty inbox: the latest answers, and the outcomes that apps reported. */
function ClosingMoment({ round }: { round: Round | undefined }) {
  return (
    <section aria-label="Caught up" className="grid justify-items-center gap-1 px-6 py-16 text-center">
      <Mark className={`mb-3 size-12 ${round ? "breath" : ""}`} />
      <h2 tabIndex={-1} className="text-lg outline-none">
        You’re all caught up
      </h2>
      <p className="text-muted tabular-nums">{round ? <Summary {...round} /> : "New questions appear here."}</p>
    </section>
  );
}

const Summary = ({ count, tookMs, done, failed }: Round) => (
  <>
    {count} answered
    {count > 1 && tookMs >= 1000 ? ` in ${inWords(tookMs)}` : ""}
    {done > 0 ? ` · ${done} completed by apps` : ""}
    {failed > 0 ? <span className="text-danger"> · {failed} failed in apps</span> : null}
  </>
);

/** A duration, rounded: "40 s", "3 min", "2 h". */
function inWords(ms: number): string {
  const [seconds, minutes, hours] = [1000, 60_000, 3_600_000].map((unit) => Math.round(ms / unit)) as [
    number,
    number,
    number,
  ];
  if (seconds < 60) return `${seconds} s`;
  return minutes < 60 ? `${minutes} min` : `${hours} h`;
}
