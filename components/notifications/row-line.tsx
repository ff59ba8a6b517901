import { AppIcon } from "@/components/ui/app-icon";
import { Badge } from "@/components/ui/badge";
import { ChevronIcon, Mark } from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { LinkIcon } from "./icons";
import type { FeedNotification } from "./types";

/**
 * The line of one notification. App and time are our words, title and type the app's; urgency is
 * a word.
 */
export function RowLine({ notification }: { notification: FeedNotification }) {
  const { app, title, firstLine, type, read, priority, link, muted } = notification;
  return (
    <>
      {app.ours ? <Mark className="size-8" /> : <AppIcon {...app} className="size-8" />}
      <span className="min-w-0 grow">
        <span className="flex items-start gap-2">
          {priority === "urgent" ? <Badge tone="danger">Urgent</Badge> : null}
          {priority === "high" ? <Badge tone="warn">Important</Badge> : null}
          <span
            dir="auto"
            className={`line-clamp-2 min-w-0 group-open/told:line-clamp-none ${read ? "" : "font-semibold"}`}
          >
            {title}
          </span>
        </span>
        {firstLine ? (
          <span dir="auto" className="line-clamp-1 text-muted group-open/told:hidden">
            {firstLine}
          </span>
        ) : null}
        <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
          <bdi className="font-medium">{app.name}</bdi>
          {app.ours ? <Badge tone="neutral">This service</Badge> : null}
          <span aria-hidden="true">·</span>
          {type.trim() ? (
            <>
              <bdi className="mono">{type}</bdi>
              <span aria-hidden="true">·</span>
            </>
          ) : null}
          <When notification={notification} />
          {link ? (
            <span className="inline-flex items-center gap-1">
              <span aria-hidden="true">·</span>
              <LinkIcon className="size-3.5" />
              <span className="sr-only">Links to </span>
              <bdi>{link.host}</bdi>
            </span>
          ) : null}
          {muted ? <Badge>Muted</Badge> : null}
        </span>
      </span>
      <span className="flex items-center gap-2 pt-0.5">
        {read ? null : (
          <span className="size-2 rounded-full bg-ink forced-colors:bg-[Highlight]">
            <span className="sr-only">Unread</span>
          </span>
        )}
        <ChevronIcon className="size-4 text-muted transition-transform duration-100 group-open/told:rotate-90" />
      </span>
    </>
  );
}

function When({
  notification: { place, createdAt, surfacedAt, doneAt = 0, expiresAt, earlier },
}: {
  notification: FeedNotification;
}) {
  if (place === "snoozed")
    return (
      <span>
        Back <TimeAgo at={surfacedAt} />
      </span>
    );
  if (place === "done")
    return (
      <span>
        {doneAt === expiresAt ? "Expired" : "Done"} <TimeAgo at={doneAt} />
      </span>
    );
  return (
    <span>
      {earlier > 0 ? "Updated " : ""}
      <TimeAgo at={createdAt} />
      {earlier > 0 ? `, ${earlier > 99 ? "99+" : earlier} earlier` : ""}
    </span>
  );
}
