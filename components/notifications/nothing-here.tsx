import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { type FeedView, feedAddress, isNarrowed } from "./types";

/** Why there is nothing to see. */
export function NothingHere({ view, beyond }: { view: FeedView; beyond: boolean }) {
  const { place, unread, muted, search } = view;
  if (isNarrowed(view) || beyond)
    return (
      <EmptyState
        title={
          unread ? "Nothing unread here" : muted ? "Nothing muted here" : search ? "Nothing found" : "Nothing here"
        }
        action={<ButtonLink href={feedAddress({ place })}>Show everything</ButtonLink>}
      />
    );
  if (place === "snoozed")
    return (
      <EmptyState title="Nothing snoozed">
        What you snooze waits here, and comes back to the inbox by itself.
      </EmptyState>
    );
  if (place === "done")
    return (
      <EmptyState title="Nothing done yet">
        Notifications you marked done, and expired ones, are kept here. Reading is enough; nothing has to be marked
        done.
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing new">
      What your apps want you to know, without asking anything, appears here by itself. It never interrupts.
    </EmptyState>
  );
}
