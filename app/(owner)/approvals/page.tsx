import type { Metadata } from "next";
import { OfferLater } from "@/components/alerts/offer-later";
import { Inbox } from "@/components/approvals/inbox";
import { InboxTop, More } from "@/components/approvals/inbox-top";
import { NothingHere } from "@/components/approvals/nothing-here";
import { vapidKeys } from "@/lib/alerts/push";
import { answered, countInbox, held, mutedWaiting, readApproval, snoozed, waiting } from "@/lib/approvals/inbox";
import { knownApps } from "@/lib/grants/known-apps";
import { readSettings } from "@/lib/owners/settings";
import { requireOwner } from "@/lib/web/session";
import { addMyDevice } from "../alerts/actions";
import { orNotFound } from "../or-not-found";
import { acts, posts, rulesOf } from "./desk";
import { show } from "./show";
import { type Search, view } from "./view";

export async function generateMetadata({ searchParams }: { searchParams: Promise<Search> }): Promise<Metadata> {
  return { title: view(await searchParams).history ? "Answered" : "Approvals" };
}

/** The inbox, the history, and one decision at its own address: `/approvals/{id}` comes here as `?open={id}`. */
export default async function Approvals({ searchParams }: { searchParams: Promise<Search> }) {
  const owner = await requireOwner();
  const { open, history, snoozed: away, app, from, address, query } = view(await searchParams);
  const settings = await readSettings(owner);
  const only = { appId: app, timeZone: settings.timeZone };
  const here = !history && !away;
  const [page, kept, muted, lately, extra, counts, apps] = await Promise.all([
    history
      ? answered(owner, { ...only, ...(from ? { before: from } : {}) })
      : (away ? snoozed : waiting)(owner, { ...only, ...(from ? { after: from } : {}) }),
    here && !from ? held(owner, only) : undefined,
    here ? mutedWaiting(owner, only) : undefined,
    answered(owner, { timeZone: settings.timeZone }),
    open ? orNotFound(readApproval(owner, open, only)) : undefined,
    countInbox(owner, { appId: app }),
    knownApps(owner),
  ]);
  // An answer that is being held keeps its row's place.
  const rows = [...page.approvals, ...(kept?.approvals ?? [])];
  if (kept) rows.sort((a, b) => a._creationTime - b._creationTime || (a._id < b._id ? -1 : 1));
  const last = lately.approvals[0]?.resolution?.resolvedAt;
  return (
    <Inbox
      key={address}
      view={history ? "answered" : away ? "snoozed" : "waiting"}
      title={history ? "Answered" : away ? "Snoozed" : "Approvals"}
      listed={show(rows, open)}
      muted={show(muted?.approvals ?? [], open)}
      extra={extra && show([extra], open)[0]}
      opened={open}
      endings={lately.approvals.flatMap(({ _id: id, resolution }) => (resolution ? [{ id, resolution }] : []))}
      overtaken={show(
        lately.approvals.filter(({ desk }) => desk.overtaken && !desk.seen),
        undefined,
      )}
      total={history ? undefined : away ? counts.snoozed : counts.waiting}
      query={query}
      listAddress={address}
      top={<InboxTop history={history} app={app} apps={apps} />}
      bottom={
        <>
          <More history={history} app={app} next={page.next} first={!from} />
          <OfferLater
            answered={lately.approvals.filter(({ resolution }) => resolution?.resolvedBy === "owner").length}
            ownerId={owner.ownerId}
            publicKey={vapidKeys().publicKey}
            add={addMyDevice}
          />
        </>
      }
      empty={<NothingHere history={history} filtered={app !== undefined} beyond={from !== undefined} last={last} />}
      rules={rulesOf(settings)}
      acts={acts}
      posts={posts}
    />
  );
}
