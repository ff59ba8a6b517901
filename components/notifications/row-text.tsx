import type { useShortcut } from "@/components/keys/shortcut";
import { PlainLink } from "@/components/ui/full-load-link";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { LinkIcon } from "./icons";
import type { FeedNotification } from "./types";

type RowTextProps = {
  notification: FeedNotification;
  /** The attributes of its link, with the link's key. */
  away: ReturnType<typeof useShortcut<HTMLAnchorElement>>;
};

/** The contents of an opened notification. */
export const RowText = ({ notification, away }: RowTextProps) => {
  const { id, app, text, whole, link } = notification;
  return (
    <div className="mx-4 mt-1 mb-3 grid gap-2.5 sm:ms-15">
      {text ? (
        <section
          aria-label={`From ${app.name}`}
          data-text
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
          tabIndex={0}
          className="max-h-96 overflow-y-auto rounded-lg bg-pane forced-colors:border px-3.5 py-2.5"
        >
          {text}
        </section>
      ) : null}
      {whole ? null : (
        <p>
          <PlainLink href={`/notifications/${id}`}>Show the full text</PlainLink>
        </p>
      )}
      {link ? (
        <p>
          <a
            href={link.url}
            data-link
            {...away}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-lg border border-edge bg-raised px-3 font-medium hover:bg-fill sm:min-h-9"
          >
            <LinkIcon />
            <span>
              Open <bdi>{link.host}</bdi>
              <span className="sr-only"> in a new tab</span>
            </span>
          </a>
        </p>
      ) : null}
      <Remarks {...notification} />
    </div>
  );
};

/** Earlier and newer versions, and the expiry. */
const Remarks = ({ text, whole, link, earlier, expiresAt, replacedBy, place }: FeedNotification) => (
  <p className="text-xs text-muted">
    {earlier > 0 ? `Replaced ${earlier > 99 ? "99+" : earlier} earlier notifications. ` : ""}
    {replacedBy ? (
      <>
        A newer notification replaced this one: <PlainLink href={`/notifications/${replacedBy}`}>show it</PlainLink>.{" "}
      </>
    ) : null}
    {expiresAt && place !== "done" ? (
      <>
        Expires <TimeAgo at={expiresAt} />.{" "}
      </>
    ) : null}
    {text || link || earlier || replacedBy || !whole ? null : "No further text."}
  </p>
);
