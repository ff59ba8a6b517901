import { EmptyState } from "@/components/ui/empty-state";
import { ButtonLink } from "@/components/ui/styled-links";
import { type FeedView, feedAddress, isNarrowed } from "./feed-view";

/** Explains why a list is empty. */
export function EmptyList({ view, beyond }: { view: FeedView; beyond: boolean }) {
  const { place, unread, muted } = view;
  if (beyond)
    return (
      <EmptyState
        title="No older notifications"
        action={<ButtonLink href={feedAddress(view)}>Back to the first page</ButtonLink>}
      />
    );
  if (isNarrowed(view))
    return (
      <EmptyState
        title={unread ? "No unread notifications" : muted ? "No muted notifications" : "No notifications found"}
        action={<ButtonLink href={feedAddress({ place })}>Clear filters</ButtonLink>}
      />
    );
  if (place === "snoozed") return <EmptyState title="No snoozed notifications" />;
  if (place === "done") return <EmptyState title="No notifications marked as done" />;
  return <EmptyState title="No notifications" />;
}
