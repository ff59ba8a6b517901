import type { Metadata } from "next";
import { Inbox } from "@/components/approvals/inbox";
import { InboxTop, More } from "@/components/approvals/inbox-top";
import { NothingHere } from "@/components/approvals/nothing-here";
import { dayName } from "@/components/ui/day-name";
import { findApprovals } from "@/lib/approvals/finding";
import { answered, countInbox, readApproval } from "@/lib/approvals/inbox";
import { dayOf } from "@/lib/days";
import { knownApps } from "@/lib/grants/known-apps";
import { readSettings } from "@/lib/owners/settings";
import { requireOwner } from "@/lib/web/session";
import { orNotFound } from "../or-not-found";
import { postAnswer, sendAnswer } from "./actions";
import { Answered } from "./answered";
import { FirstSteps } from "./first-steps";
import { show } from "./show";
import { type Search, view } from "./view";

const titles = { waiting: "Approvals", snoozed: "Snoozed", answered: "Answered" };

export async function generateMetadata({ searchParams }: { searchParams: Promise<Search> }): Promise<Metadata> {
  return { title: titles[view(await searchParams).filter.list] };
}

/** The inbox, the history, and one decision at its own address: `/approvals/{id}` comes here as `?open={id}`. */
export default async function Approvals({ searchParams }: { searchParams: Promise<Search> }) {
  const owner = await requireOwner();
  const { open, filter, address, query } = view(await searchParams);
  const narrowed = filter.appId ? { appId: filter.appId } : {};
  const { timeZone, firstStepsDone } = await readSettings(owner);
  const [page, lately, extra, counts, apps] = await Promise.all([
    findApprovals(owner, filter, timeZone),
    answered(owner),
    open ? orNotFound(readApproval(owner, open, { timeZone })) : undefined,
    countInbox(owner, narrowed),
    knownApps(owner),
  ]);
  const last = lately.approvals[0]?.resolution?.resolvedAt;
  const isNew = last === undefined && !firstStepsDone;
  const reached = page.reached && dayName(dayOf(page.reached, timeZone), dayOf(Date.now(), timeZone));
  const shared = {
    opened: open,
    extra: extra && show([extra], open)[0],
    query,
    listAddress: address,
    top: <InboxTop filter={filter} apps={apps} counts={counts} isNew={isNew} />,
    bottom: <More filter={filter} next={page.next} reached={reached || undefined} />,
    empty: (
      <NothingHere
        filter={filter}
        last={last}
        next={page.next}
        firstSteps={isNew ? <FirstSteps owner={owner} /> : null}
      />
    ),
  };
  if (filter.list === "answered")
    return <Answered key={address} approvals={show(page.approvals, open)} timeZone={timeZone} {...shared} />;
  return (
    <Inbox
      key={address}
      title={titles[filter.list]}
      listed={show(page.approvals, open)}
      endings={lately.approvals.flatMap(({ _id: id, resolution }) => (resolution ? [{ id, resolution }] : []))}
      total={counts[filter.list]}
      {...shared}
      send={sendAnswer}
      post={postAnswer}
    />
  );
}
