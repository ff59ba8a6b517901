import { AppIcon } from "@/components/ui/app-icon";
import { Badge } from "@/components/ui/badge";
import { Mark } from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { FeedNotification } from "./feed-notification";

/**
 * A notification on one line, or on two lines on a phone. The service provides the app's name and
 * the time. The app provides the rest. Urgency is shown as a word.
 */
export function NotificationSummary({ notification }: { notification: FeedNotification }) {
  const { app, title, firstLine, read, priority } = notification;
  return (
    <>
      {app.ours ? <Mark className="size-7" /> : <AppIcon {...app} className="size-7" />}
      <span className="grid min-w-0 grow items-baseline gap-x-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
        <span className="order-2 truncate text-muted max-sm:text-xs sm:order-none">
          <bdi>{app.name}</bdi>
          {app.ours ? " · This service" : ""}
        </span>
        <span dir="auto" className="truncate group-open/told:whitespace-normal">
          {priority === "urgent" ? <Badge tone="danger">Urgent</Badge> : null}
          {priority === "high" ? <Badge tone="warn">Important</Badge> : null}
          {read ? null : <span className="sr-only">Unread</span>}{" "}
          <span className={read ? "" : "font-semibold"}>{title}</span>{" "}
          {firstLine ? <bdi className="ms-2 text-muted group-open/told:hidden max-sm:hidden">{firstLine}</bdi> : null}
        </span>
      </span>
      <span className="shrink-0 text-xs text-muted group-open/told:visible! sm:pointer-fine:group-hover/row:invisible">
        <When notification={notification} />
      </span>
    </>
  );
}

function When({
  notification: { place, createdAt, surfacedAt, doneAt = 0, expiresAt },
}: {
  notification: FeedNotification;
}) {
  if (place === "inbox") return <TimeAgo at={createdAt} />;
  const [word, at] =
    place === "snoozed" ? ["Returns", surfacedAt] : [doneAt === expiresAt ? "Expired" : "Done", doneAt];
  return (
    <>
      {word} <TimeAgo at={at} />
    </>
  );
}
