import type { Metadata } from "next";
import { headers } from "next/headers";
import { after } from "next/server";
import { orNotFound } from "@/app/or-not-found";
import { AppMarkdown } from "@/components/approvals/decision/app-markdown";
import { EmptyList } from "@/components/notifications/empty-feed";
import { Feed } from "@/components/notifications/feed";
import { FeedFilters } from "@/components/notifications/feed-filters";
import type { FeedNotification } from "@/components/notifications/feed-notification";
import { type FeedView, feedAddress, isNarrowed } from "@/components/notifications/feed-view";
import { QuietBanner } from "@/components/notifications/quiet-hours-banner";
import { ButtonLink } from "@/components/ui/styled-links";
import type { OwnerActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { connectedAppNames } from "@/lib/grants/connected-and-former-apps";
import { readQuiet } from "@/lib/notifications/active-quiet-hours";
import { readFeed, readNotification } from "@/lib/notifications/feed";
import { countFeed } from "@/lib/notifications/feed-counts";
import type { FeedItem } from "@/lib/notifications/schema";
import { markSeen } from "@/lib/notifications/triage";
import { readSettings } from "@/lib/owners/settings";
import { dayName } from "@/lib/text/dates";
import { dayOf, startOfDay, wallClock } from "@/lib/text/local-time";
import { countText } from "@/lib/text/plural";
import { readFormats } from "@/lib/web/reader-date-formats";
import { requireOwner } from "@/lib/web/session";
import { type FeedSearch, viewOf } from "./parse-feed-params";

export const metadata: Metadata = { title: "Notifications" };

/** The page with the notification feed. `/notifications/{id}` is rewritten to `?open={id}`. */
export default async function Notifications({ searchParams }: { searchParams: Promise<FeedSearch> }) {
  const owner = await requireOwner();
  const asked = viewOf(await searchParams);
  const { view, before, open } = asked;
  const [quiet, formats] = await Promise.all([readQuiet(owner), readFormats()]);
  const [page, counts, apps, { timeZone }] = await Promise.all([
    readPage(owner, asked),
    countFeed(owner, quiet),
    connectedAppNames(owner),
    readSettings(owner),
  ]);
  const { notifications, next, reached } = page;
  const { unread, muted, snoozed, types } = counts;
  const wholeInbox = view.place === "inbox" && !isNarrowed(view) && !before && !open;
  if (wholeInbox) await markSeenBy(owner, notifications[0]);
  return (
    <Feed
      key={open ?? feedAddress(view, before)}
      notifications={show(notifications, open)}
      opened={open}
      view={open ? { place: notifications[0]?.place ?? "inbox" } : view}
      unread={open || before ? 0 : unread}
      beyond={before !== undefined}
      seenAt={wholeInbox ? counts.seenAt : undefined}
      changesAt={earliest(counts.changesAt, quiet?.until)}
      today={startOfDay(dayOf(clock.now(), timeZone), timeZone)}
      head={{
        title: "Notifications",
        ...(unread > 0 && { lead: `${unread > 99 ? "99+" : unread} unread` }),
        ...(open && { back: { href: "/notifications", label: "All notifications" } }),
      }}
      above={
        <>
          {open ? null : <FeedFilters view={view} apps={apps} types={types} muted={muted} snoozed={snoozed} />}
          {quiet ? (
            <QuietBanner
              {...quiet}
              clock={wallClock(quiet.until, timeZone)}
              held={counts.held}
              now={clock.now()}
              formats={formats}
            />
          ) : null}
          {view.muted ? (
            <p className="mb-1 text-muted">Notifications from muted apps and types arrive without alerts or badges.</p>
          ) : null}
        </>
      }
      below={<Onwards {...{ view, next, reached, timeZone }} />}
      empty={<EmptyList view={view} beyond={before !== undefined} />}
    />
  );
}

/** Reads a page of the feed or, if a notification is open, only that notification. */
async function readPage(owner: OwnerActor, { view, before, open }: ReturnType<typeof viewOf>) {
  if (!open) return readFeed(owner, { ...view, ...(before && { before }) });
  return { notifications: [await orNotFound(readNotification(owner, open))], next: undefined, reached: undefined };
}

/**
 * Marks all notifications up to `newest` as seen if the browser loads the page as a document. A
 * prefetch does not count.
 */
async function markSeenBy(owner: OwnerActor, newest: FeedItem | undefined) {
  const asked = await headers();
  if (newest && asked.get("sec-fetch-dest") === "document" && !asked.has("sec-purpose"))
    after(() => markSeen(owner, newest.id));
}

const earliest = (...times: (number | undefined)[]) => {
  const known = times.filter((at) => at !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
};

type OnwardsProps = { view: FeedView; next: string | undefined; reached: number | undefined; timeZone: string };

/** Shows how far a search got, and a link to the next page. */
function Onwards({ view, next, reached, timeZone }: OnwardsProps) {
  return (
    <>
      {reached === undefined ? null : (
        <p className="mt-4 text-center text-muted">
          Searched {countText(10_000)} notifications, back to{" "}
          {dayName(dayOf(reached, timeZone), dayOf(clock.now(), timeZone))}.
        </p>
      )}
      {next ? (
        <nav aria-label="Pages" className="mt-4 flex justify-center">
          <ButtonLink href={feedAddress(view, next)}>
            {reached !== undefined
              ? "Keep searching"
              : view.place === "snoozed"
                ? "Newer notifications"
                : "Older notifications"}
          </ButtonLink>
        </nav>
      ) : null}
    </>
  );
}

/**
 * The maximum number of characters of text on a page. Notifications beyond this limit show only
 * their first line.
 */
const room = 60_000;
const lineLength = 160;

/**
 * Renders the text of the open notification and of other notifications, up to `room` characters in
 * total.
 */
function show(items: FeedItem[], open?: string): FeedNotification[] {
  let left = room;
  return items.map(({ body, format, ...item }) => {
    if (body.trim() === "") return { ...item, whole: true };
    left -= body.length;
    const firstLine = lineOf(body, format);
    if (left < 0 && item.id !== open) return { ...item, firstLine, whole: false };
    return { ...item, firstLine, whole: true, text: format === "markdown" ? <AppMarkdown text={body} /> : plain(body) };
  });
}

const plain = (body: string) => (
  <p dir="auto" className="whitespace-pre-line">
    {body}
  </p>
);

/**
 * Returns the start of the first line that contains a letter or digit, without Markdown syntax if
 * the text is Markdown.
 */
function lineOf(body: string, format: FeedItem["format"]): string {
  const whole = body.split("\n").find((each) => /[\p{L}\p{N}]/u.test(each)) ?? body;
  // Shortened first, because the time to match links grows with the square of the text's length.
  const line = whole.slice(0, 4 * lineLength);
  const bare =
    format === "markdown" ? line.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/^\s*[#>*+-]+\s+|[*`_]+/g, "") : line;
  return [...bare.trim()].slice(0, lineLength).join("");
}
