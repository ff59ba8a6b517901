import { Fragment } from "react";
import type { useShortcut } from "@/components/keyboard/use-shortcut";
import { buttonClass } from "@/components/ui/button";
import { PlainLink } from "@/components/ui/styled-links";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { plural, upTo } from "@/lib/text/plural";
import type { FeedNotification } from "./feed-notification";

type NotificationBodyProps = {
  notification: FeedNotification;
  /** The attributes of the notification's link, including its shortcut. */
  away: ReturnType<typeof useShortcut<HTMLAnchorElement>>;
};

/** The contents of an opened notification. */
export const NotificationBody = ({ notification, away }: NotificationBodyProps) => {
  const { id, app, text, whole, link } = notification;
  return (
    <div className="grid gap-2 px-3 pb-2 ps-13">
      {text ? (
        <section
          aria-label={`From ${app.name}`}
          data-text
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
          tabIndex={0}
          className="max-h-96 max-w-[68ch] overflow-y-auto"
        >
          {text}
        </section>
      ) : null}
      {whole ? null : (
        <p>
          <PlainLink href={`/notifications/${id}`}>Show the full text</PlainLink>
        </p>
      )}
      <Remarks {...notification} />
      {link ? (
        <p>
          <a
            href={link.url}
            data-link
            {...away}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className={`${buttonClass({ size: "small" })} max-w-full`}
          >
            <span>
              Open <bdi>{link.host}</bdi>
              <span className="sr-only"> in a new tab</span>
            </span>
          </a>
        </p>
      ) : null}
    </div>
  );
};

/** The notification's type, earlier and newer versions, and expiry. */
function Remarks({ type, muted, earlier, expiresAt, replacedBy, place }: FeedNotification) {
  const remarks = [
    type.trim() && <bdi key="type">{type}</bdi>,
    muted && `Muted ${muted}`,
    earlier > 0 &&
      `Replaced ${plural(earlier, { one: "# earlier notification", other: "# earlier notifications" }, upTo(99, earlier))}`,
    replacedBy && (
      <PlainLink key="newer" href={`/notifications/${replacedBy}`}>
        Replaced by a newer notification
      </PlainLink>
    ),
    expiresAt && place !== "done" && (
      <Fragment key="expiry">
        Expires <TimeAgo at={expiresAt} />
      </Fragment>
    ),
  ].filter(Boolean);
  return (
    <p className="text-xs text-muted empty:hidden">{remarks.map((remark, at) => [at > 0 ? " · " : "", remark])}</p>
  );
}
