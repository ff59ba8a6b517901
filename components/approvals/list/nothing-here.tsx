import { inboxAddress } from "@/components/approvals/address";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { ApprovalFilter, Resolution } from "@/lib/approvals/schema";

type NothingHereProps = {
  filter: ApprovalFilter;
  /** The latest answer, if there is any. */
  last: Resolution | undefined;
  /** What somebody may do who never answered an app. */
  firstSteps?: React.ReactNode;
  /** Where a search that stopped early can go on. */
  next?: string | undefined;
};

/** Why there is nothing to decide: never asked, all answered, put nothing off, or looking at a part. */
export function NothingHere({ filter, last, firstSteps, next }: NothingHereProps) {
  const { list, sort: _, after, ...narrowed } = filter;
  const isHistory = list === "answered";
  if (Object.keys(narrowed).length > 0 || after)
    return (
      <EmptyState
        title={isHistory ? "No answers here" : "No questions here"}
        action={<ButtonLink href={inboxAddress({ list })}>Clear</ButtonLink>}
      >
        {next ? "Not among the 10,000 searched so far." : "Nothing matches."}
      </EmptyState>
    );
  if (isHistory) return <EmptyState title="No answers yet">What you decide is kept here, latest first.</EmptyState>;
  if (list === "snoozed")
    return <EmptyState title="Nothing snoozed">Snoozed questions are listed here until they come back.</EmptyState>;
  if (list === "passed")
    return (
      <EmptyState title="Everything was answered in time">Questions that run out of time are listed here.</EmptyState>
    );
  if (firstSteps) return firstSteps;
  if (last !== undefined)
    return (
      <EmptyState title={last.resolvedBy === "owner" ? "All answered" : "Nothing waits for you"}>
        {last.resolvedBy === "owner" ? (
          <>
            Your last answer: <TimeAgo at={last.resolvedAt} />.{" "}
          </>
        ) : null}
        New questions appear here automatically.
      </EmptyState>
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
