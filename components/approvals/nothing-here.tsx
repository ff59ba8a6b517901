import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { TimeAgo } from "@/components/ui/time-ago";

type NothingHereProps = {
  history: boolean;
  filtered: boolean;
  /** Whether this is a later page of the list. */
  beyond: boolean;
  /** When the latest answer was given, if ever. */
  last: number | undefined;
};

/** Why there is nothing to decide: never asked, all answered, or looking at a part. */
export function NothingHere({ history, filtered, beyond, last }: NothingHereProps) {
  if (filtered || beyond)
    return (
      <EmptyState
        title={history ? "No answers here" : "Nothing waits here"}
        action={<ButtonLink href={history ? "/approvals?status=resolved" : "/approvals"}>Show everything</ButtonLink>}
      />
    );
  if (history) return <EmptyState title="No answers yet">What you decide is kept here, latest first.</EmptyState>;
  if (last !== undefined)
    return (
      <EmptyState title="All answered">
        Last answer <TimeAgo at={last} />. New questions appear here by themselves.
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing has asked yet" action={<ButtonLink href="/developer">Register an app</ButtonLink>}>
      When an app that you let in asks you to decide something, the question appears here by itself.
    </EmptyState>
  );
}
