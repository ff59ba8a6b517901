import { inboxAddress } from "@/components/approvals/address";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/icons";
import { ButtonLink } from "@/components/ui/links";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { Round } from "@/lib/approvals/inbox";
import type { ApprovalFilter, Resolution } from "@/lib/approvals/schema";

type NothingHereProps = {
  filter: ApprovalFilter;
  /** The latest answer, if any. */
  last: Resolution | undefined;
  /** The recent run of answers that emptied the list, if any. */
  round: Round | undefined;
  /** Whether a question is pending now. The summary shows only once none is. */
  waits: boolean;
  /** First steps for an owner who has never answered an app. */
  firstSteps?: React.ReactNode;
  /** Cursor at which a search that stopped early continues. */
  next?: string | undefined;
};

/** Explains an empty list: never asked, all answered, nothing snoozed, or filtered. */
export function EmptyList({ filter, last, round, waits, firstSteps, next }: NothingHereProps) {
  const { list, sort: _, after, ...narrowed } = filter;
  const isHistory = list === "answered";
  if (Object.keys(narrowed).length > 0 || after)
    return (
      <EmptyState
        title={isHistory ? "No answers here" : "No questions here"}
        action={<ButtonLink href={inboxAddress({ list })}>Clear</ButtonLink>}
      >
        {next ? "No matches yet. Keep searching?" : "Nothing matches."}
      </EmptyState>
    );
  if (isHistory) return <EmptyState title="No answers yet">Your answers are kept here, newest first.</EmptyState>;
  if (list === "snoozed")
    return <EmptyState title="Nothing snoozed">Snoozed questions are listed here until they come back.</EmptyState>;
  if (list === "passed") return <EmptyState title="Nothing missed">Expired questions are listed here.</EmptyState>;
  if (firstSteps) return firstSteps;
  if (last !== undefined || waits)
    return (
      <ClosingMoment round={round}>
        {last?.resolvedBy === "owner" ? (
          <>
            Your last answer: <TimeAgo at={last.resolvedAt} />.{" "}
          </>
        ) : null}
        New questions appear here automatically.
      </ClosingMoment>
    );
  return (
    <EmptyState
      title="No questions yet"
      action={<ButtonLink href="/developer">Register an app or send yourself a test</ButtonLink>}
    >
      When an app you connected asks you to decide something, the question appears here.
    </EmptyState>
  );
}

type ClosingProps = { round: Round | undefined; children: React.ReactNode };

/** The inbox is empty: summarizes the last run of answers and the outcomes that apps reported. */
function ClosingMoment({ round, children }: ClosingProps) {
  return (
    <section
      aria-label="Caught up"
      className="grid justify-items-center gap-2 rounded-2xl bg-fill px-6 py-10 text-center forced-colors:border"
    >
      <Mark className={`size-12 ${round ? "breath" : ""}`} />
      <h2 tabIndex={-1} className="mt-2 text-lg outline-none">
        You’re all caught up
      </h2>
      {round ? <Summary {...round} /> : null}
      <p className="max-w-[52ch] text-muted">{children}</p>
    </section>
  );
}

/** The number of listed labels; the rest are counted. */
const named = 3;

function Summary({ count, tookMs, labels, done, failed }: Round) {
  const rest = labels.slice(named).reduce((sum, it) => sum + it.count, 0);
  return (
    <>
      <p className="font-medium tabular-nums">
        {count} answered
        {count > 1 && tookMs >= 1000 ? ` in ${inWords(tookMs)}` : ""}
        {done > 0 ? ` · ${done} already done` : ""}
        {failed > 0 ? <span className="text-danger"> · {failed} failed</span> : null}
      </p>
      <ul className="flex max-w-full flex-wrap justify-center gap-x-3 text-muted tabular-nums">
        {labels.slice(0, named).map(({ label, count }) => (
          <li key={label ?? ""} className="flex min-w-0">
            {label === null ? "In your own words" : <bdi className="truncate">{label}</bdi>}
            <span className="whitespace-pre"> × {count}</span>
          </li>
        ))}
        {rest > 0 ? <li>Other answers × {rest}</li> : null}
      </ul>
    </>
  );
}

/** A duration: "40 s", "3 min 10 s", "2 h 5 min". */
function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
