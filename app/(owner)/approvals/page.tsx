import type { Metadata } from "next";
import { OfferLater } from "@/components/alerts/offer-later";
import { Inbox } from "@/components/approvals/inbox";
import { InboxTop, More } from "@/components/approvals/inbox-top";
import { NothingHere } from "@/components/approvals/nothing-here";
import { vapidKeys } from "@/lib/alerts/push";
import { answered, countWaiting, readApproval, waiting } from "@/lib/approvals/inbox";
import { knownApps } from "@/lib/grants/known-apps";
import { requireOwner } from "@/lib/web/session";
import { addMyDevice } from "../alerts/actions";
import { orNotFound } from "../or-not-found";
import { postAnswer, sendAnswer } from "./actions";
import { show } from "./show";
import { type Search, view } from "./view";

export async function generateMetadata({ searchParams }: { searchParams: Promise<Search> }): Promise<Metadata> {
  return { title: view(await searchParams).history ? "Answered" : "Approvals" };
}

/** The inbox, the history, and one decision at its own address: `/approvals/{id}` comes here as `?open={id}`. */
export default async function Approvals({ searchParams }: { searchParams: Promise<Search> }) {
  const owner = await requireOwner();
  const { open, history, app, from, address, query } = view(await searchParams);
  const narrowed = app ? { appId: app } : {};
  const [page, lately, extra, total, apps] = await Promise.all([
    history
      ? answered(owner, { ...narrowed, ...(from ? { before: from } : {}) })
      : waiting(owner, { ...narrowed, ...(from ? { after: from } : {}) }),
    answered(owner),
    open ? orNotFound(readApproval(owner, open)) : undefined,
    countWaiting(owner, narrowed),
    knownApps(owner),
  ]);
  const listed = show(page.approvals, open);
  const last = lately.approvals[0]?.resolution?.resolvedAt;
  return (
    <Inbox
      key={address}
      title={history ? "Answered" : "Approvals"}
      listed={listed}
      extra={extra && show([extra], open)[0]}
      opened={open}
      endings={lately.approvals.flatMap(({ _id: id, resolution }) => (resolution ? [{ id, resolution }] : []))}
      total={history ? undefined : total}
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
      send={sendAnswer}
      post={postAnswer}
    />
  );
}
