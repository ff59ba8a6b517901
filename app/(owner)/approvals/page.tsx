import type { Metadata } from "next";
import { headers } from "next/headers";
import { orNotFound } from "@/app/not-found-or";
import { LazyEnableAlertsPrompt } from "@/components/alerts/lazy-enable-prompt";
import { type AnsweredDay, History } from "@/components/approvals/history/history";
import { EmptyList } from "@/components/approvals/list/empty-list";
import { Inbox } from "@/components/approvals/list/inbox";
import { InboxTop, More } from "@/components/approvals/list/inbox-top";
import type { InboxApproval, Rules } from "@/components/approvals/types";
import { vapidKeys } from "@/lib/alerts/push";
import { recordPassedDeadlines } from "@/lib/approvals/deadlines";
import { countInbox, latestRound, type RecentEnding, readApproval, recentEndings } from "@/lib/approvals/inbox";
import { oldestOfOtherApps, readMany, searchApprovals } from "@/lib/approvals/search";
import { connectedAppNames } from "@/lib/grants/connected-apps";
import type { Settings } from "@/lib/owners/schema";
import { snoozeOffers } from "@/lib/owners/snooze";
import { clockText, type Formats } from "@/lib/text/formats";
import { dayOf, wallClock } from "@/lib/text/local-time";
import { dayName } from "@/lib/text/locale";
import { readFormats, readLocale } from "@/lib/web/locale";
import { requireOwner, settingsOf } from "@/lib/web/session";
import { FirstSteps } from "./first-steps";
import { toInboxApproval } from "./present";
import { type InboxSearch, parseInboxParams } from "./search-params";

const titles = { waiting: "Approvals", snoozed: "Snoozed", answered: "Answered", passed: "Expired" };

export async function generateMetadata({ searchParams }: { searchParams: Promise<InboxSearch> }): Promise<Metadata> {
  return { title: titles[parseInboxParams(await searchParams).filter.list] };
}

const hour = 60 * 60 * 1000;
/** Whether an open page may still show the approval as pending. */
const isFresh = ({ resolution }: RecentEnding) => resolution.resolvedAt > Date.now() - hour;

/** The inbox, the history, and single decisions: `/approvals/{id}` is rewritten to `?open={id}`. */
export default async function Approvals({ searchParams }: { searchParams: Promise<InboxSearch> }) {
  const owner = await requireOwner();
  const { open, filter, most, address, query, list: key } = parseInboxParams(await searchParams);
  const settings = await settingsOf(owner);
  const { timeZone } = settings;
  const { list, appId } = filter;
  await recordPassedDeadlines(owner);
  const [page, lately, extra, counts, apps] = await Promise.all([
    searchApprovals(owner, filter, timeZone, most),
    recentEndings(owner),
    open ? orNotFound(readApproval(owner, open, { timeZone })) : undefined,
    countInbox(owner, appId ? { appId } : {}),
    connectedAppNames(owner),
  ]);
  // Snoozed questions are read only if the counts show any.
  const beside = (part: "asked" | "muted") =>
    list === "waiting" && (counts.folds[part] || counts.isCapped)
      ? searchApprovals(owner, { ...filter, list: part, after: undefined }, timeZone, most)
      : undefined;
  const closes = key === "/approvals" && page.approvals.length === 0;
  const [asked, muted, others, missed, round] = await Promise.all([
    beside("asked"),
    beside("muted"),
    // At the top of the pending list, in its own order.
    key === "/approvals" ? oldestOfOtherApps(owner, page, timeZone) : [],
    readMany(
      owner,
      lately.filter((it) => it.missed).map(({ id }) => id),
      timeZone,
    ),
    closes ? latestRound(owner) : undefined,
  ]);
  const answered = page.approvals.find(({ triage }) => triage.held);
  const last = answered?.triage.held
    ? { ...answered.triage.held.answer, resolvedBy: "owner" as const, resolvedAt: Date.now() }
    : lately[0]?.resolution;
  const isNew = lately.every(({ own }) => own) && (!answered || answered.app.own === true) && !settings.firstStepsDone;
  const reached =
    page.reached && dayName(dayOf(page.reached, timeZone), dayOf(Date.now(), timeZone), await readLocale());
  const rows = [...page.approvals, ...others];
  const isShort = most < 50;
  const aside = [...(asked?.approvals ?? []), ...(muted?.approvals ?? [])];
  // Preloaded, because answering our own question empties the page immediately.
  const onlyOurs = [...rows, ...aside].every(({ app }) => app.own);
  const firstSteps = isNew && onlyOurs && list === "waiting" ? <FirstSteps owner={owner} /> : null;
  const isListed = [...rows, ...aside].some(({ _id }) => _id === open);
  const shared = {
    opened: open,
    extra: extra && !isListed ? toInboxApproval([extra], open)[0] : undefined,
    query,
    listAddress: address,
    top: <InboxTop filter={filter} apps={apps} counts={counts} isNew={isNew} />,
    bottom: (
      <>
        <More
          filter={filter}
          grows={isShort && [page, asked, muted].some((found) => found?.next)}
          next={page.next}
          reached={reached || undefined}
        />
        <LazyEnableAlertsPrompt
          answered={lately.filter(({ resolution, own }) => resolution.resolvedBy === "owner" && !own).length}
          ownerId={owner.ownerId}
          publicKey={vapidKeys().publicKey}
        />
      </>
    ),
    empty: (
      <EmptyList
        filter={filter}
        last={last}
        round={round}
        waits={rows.length > 0}
        next={page.next}
        firstSteps={firstSteps}
      />
    ),
  };
  if (list === "answered")
    return <Answered key={key} approvals={toInboxApproval(page.approvals, open)} timeZone={timeZone} {...shared} />;
  return (
    <Inbox
      key={key}
      view={list}
      grows={isShort && page.next !== undefined}
      phone={(await headers()).get("sec-ch-ua-mobile") === "?1"}
      title={titles[list]}
      listed={toInboxApproval(rows, open)}
      aside={toInboxApproval(aside, open)}
      endings={lately.filter(isFresh).map(({ id, resolution, byDefault }) => ({ id, resolution, byDefault }))}
      overtaken={toInboxApproval(missed, undefined)}
      total={counts[list]}
      folds={counts.folds}
      searches={filter.text !== undefined}
      {...shared}
      rules={rulesOf(settings, await readFormats())}
    />
  );
}

type AnsweredProps = Omit<React.ComponentProps<typeof History>, "days"> & {
  approvals: InboxApproval[];
  timeZone: string;
};

/** The history, grouped by day in the owner's time zone. */
async function Answered({ approvals, timeZone, ...rest }: AnsweredProps) {
  const today = dayOf(Date.now(), timeZone);
  const [locale, formats] = await Promise.all([readLocale(), readFormats()]);
  const days = new Map<string, AnsweredDay["answers"]>();
  for (const approval of approvals) {
    const at = approval.resolution?.resolvedAt ?? approval._creationTime;
    const day = dayName(dayOf(at, timeZone), today, locale);
    days.set(day, [...(days.get(day) ?? []), { approval, clock: clockText(wallClock(at, timeZone), formats) }]);
  }
  return <History days={[...days].map(([day, answers]) => ({ day, answers }))} {...rest} />;
}

/** The owner's preferences that the inbox needs. */
const rulesOf = ({ undoSeconds, alwaysConfirm, timeZone }: Settings, formats: Formats): Rules => ({
  undoSeconds,
  alwaysConfirm,
  snoozes: snoozeOffers(timeZone, Date.now(), formats),
});
