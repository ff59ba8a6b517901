import type { Metadata } from "next";
import { headers } from "next/headers";
import { LazyEnableAlertsPrompt } from "@/components/alerts/lazy-alerts-or-install-prompt";
import type { AnsweredDay } from "@/components/approvals/history/history";
import { History } from "@/components/approvals/history/lazy-history";
import type { InboxApproval, Rules } from "@/components/approvals/inbox-approval";
import { inboxUrl } from "@/components/approvals/inbox-url";
import { EmptyList } from "@/components/approvals/list/empty-inbox";
import { Inbox } from "@/components/approvals/list/inbox";
import { ListPagination } from "@/components/approvals/list/list-pagination";
import { vapidKeys } from "@/lib/alerts/push";
import type { RecentEnding } from "@/lib/approvals/inbox-queries";
import * as approvalActions from "@/lib/approvals/owner-actions";
import { isOnboardingQuestion } from "@/lib/approvals/service-questions/onboarding-question";
import { clock } from "@/lib/clock";
import { optimisticParts } from "@/lib/form-action";
import type { Settings } from "@/lib/owners/schema";
import { clockText, dayName, type Formats } from "@/lib/text/dates";
import { dayOf, wallClock } from "@/lib/text/local-time";
import { snoozeOffers } from "@/lib/text/snooze-times";
import { readFormats } from "@/lib/web/reader-date-formats";
import { requireOwner, settingsOf } from "@/lib/web/session";
import { FirstSteps } from "./first-steps";
import { type InboxSearch, parseInboxParams } from "./parse-inbox-params";
import { type FoundInbox, readInbox } from "./read-inbox";
import { toInboxApproval } from "./to-inbox-approval";

const titles = { waiting: "Approvals", snoozed: "Snoozed", answered: "Answered", passed: "Expired" };

export async function generateMetadata({ searchParams }: { searchParams: Promise<InboxSearch> }): Promise<Metadata> {
  return { title: titles[parseInboxParams(await searchParams).filter.list] };
}

const hour = 60 * 60 * 1000;
/**
 * Whether the approval ended within the last hour. A page that was opened earlier may still show it
 * as pending.
 */
const isFresh = ({ resolution }: RecentEnding) => resolution.resolvedAt > clock.now() - hour;

/** The inbox and the history. A decision's URL `/approvals/{id}` is rewritten to `?open={id}`. */
export default async function Approvals({ searchParams }: { searchParams: Promise<InboxSearch> }) {
  const owner = await requireOwner();
  const params = parseInboxParams(await searchParams);
  const { open, filter, maxRows, address, query, list: key } = params;
  const settings = await settingsOf(owner);
  const found = await readInbox(owner, params, settings.timeZone);
  const { page, rows, aside, lately, counts } = found;
  const isNew = isNewcomer(found, settings);
  const shared = {
    opened: open,
    extra: found.extra && toInboxApproval([found.extra], open)[0],
    query,
    listAddress: address,
    head: { filter, apps: found.apps, counts },
    words: filter.text,
    bottom: (
      <>
        <ListPagination
          filter={filter}
          grows={maxRows < 50 && found.hasMore}
          next={page.next}
          reached={await reachedText(page.reached, settings.timeZone)}
        />
        <LazyEnableAlertsPrompt
          answered={answersBeforeOffer(found)}
          later={lately.some(({ own, resolution }) => own && resolution.optionId === "later")}
          ownerId={owner.ownerId}
          publicKey={vapidKeys().publicKey}
        />
      </>
    ),
    empty: (
      <EmptyList
        filter={filter}
        hasAnswers={heldIn(found) !== undefined || found.lately.length > 0}
        round={found.round}
        waits={rows.length > 0}
        frozen={[...rows, ...aside].some((it) => it.frozen)}
        next={page.next}
        // Rendered even if questions are listed, because an answer to the service's own question can
        // empty the list in the browser.
        firstSteps={
          isNew && filter.list === "waiting" && [...rows, ...aside].every(({ app }) => app.own) ? (
            <FirstSteps owner={owner} />
          ) : null
        }
      />
    ),
  };
  if (filter.list === "answered")
    return (
      <Answered
        key={inboxUrl({ ...filter, text: undefined })}
        approvals={toInboxApproval(page.approvals, open)}
        timeZone={settings.timeZone}
        {...shared}
      />
    );
  return (
    <Inbox
      key={key}
      view={filter.list}
      grows={maxRows < 50 && page.next !== undefined}
      phone={(await headers()).get("sec-ch-ua-mobile") === "?1"}
      title={titles[filter.list]}
      optimistic={optimisticParts(approvalActions)}
      listed={toInboxApproval(rows, open)}
      aside={toInboxApproval(aside, open)}
      endings={lately.filter(isFresh).map(({ id, resolution, byDefault }) => ({ id, resolution, byDefault }))}
      overtaken={toInboxApproval(found.missed, undefined)}
      everyApp={filter.appId === undefined}
      total={counts[filter.list]}
      folds={counts.folds}
      divided={filter.list === "waiting" && filter.text === undefined && filter.sort === undefined}
      now={clock.now()}
      {...shared}
      rules={rulesOf(settings, await readFormats())}
    />
  );
}

/**
 * Returns the number of the owner's recent answers to apps' questions, which decides whether the
 * page suggests alerts. It is 0 while the service's first question is listed, because that question
 * offers alerts itself.
 */
const answersBeforeOffer = ({ rows, aside, lately }: FoundInbox) =>
  [...rows, ...aside].some(isOnboardingQuestion)
    ? 0
    : lately.filter(({ resolution, own }) => resolution.resolvedBy === "owner" && !own).length;

/** Returns the approval with the held answer, if it is on this page. */
const heldIn = ({ page }: FoundInbox) => page.approvals.find(({ triage }) => triage.held);

/**
 * Whether the owner is new. A new owner has not recently answered an app's question, holds no
 * answer to one, and has not hidden the first steps.
 */
function isNewcomer(found: FoundInbox, { firstStepsDone }: Settings): boolean {
  const held = heldIn(found);
  return found.lately.every(({ own }) => own) && (!held || held.app.own === true) && !firstStepsDone;
}

/** Returns the day that an incomplete search reached, as text. */
const reachedText = async (reached: number | undefined, timeZone: string) =>
  reached ? dayName(dayOf(reached, timeZone), dayOf(clock.now(), timeZone)) : undefined;

type AnsweredProps = Omit<React.ComponentProps<typeof History>, "days"> & {
  approvals: InboxApproval[];
  timeZone: string;
};

/** The history, grouped by day in the owner's time zone. */
async function Answered({ approvals, timeZone, ...rest }: AnsweredProps) {
  const today = dayOf(clock.now(), timeZone);
  const formats = await readFormats();
  const days = new Map<string, AnsweredDay["answers"]>();
  for (const approval of approvals) {
    const time = approval.resolution?.resolvedAt ?? approval._creationTime;
    const day = dayName(dayOf(time, timeZone), today);
    days.set(day, [...(days.get(day) ?? []), { approval, clock: clockText(wallClock(time, timeZone), formats) }]);
  }
  return <History days={[...days].map(([day, answers]) => ({ day, answers }))} {...rest} />;
}

/** Returns the owner's preferences that the inbox needs. */
const rulesOf = ({ undoSeconds, alwaysConfirm, timeZone }: Settings, formats: Formats): Rules => ({
  undoSeconds,
  alwaysConfirm,
  snoozes: snoozeOffers(timeZone, clock.now(), formats),
});
