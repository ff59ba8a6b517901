import { Worker } from "@/components/alerts/worker";
import { Shell } from "@/components/layout/shell";
import { Live } from "@/components/live/live";
import { readNews } from "@/lib/events/news";
import { requireOwner } from "@/lib/web/session";
import { seeMyDevice } from "./alerts/actions";

export default async function OwnerLayout({ children }: { children: React.ReactNode }) {
  const owner = await requireOwner();
  const { pending, unread, event } = await readNews(owner);
  return (
    <Shell owner={owner} pending={pending} unread={unread}>
      <Live pending={pending} event={event} ownerId={owner.ownerId} />
      <Worker ownerId={owner.ownerId} waiting={pending} seen={seeMyDevice} />
      {children}
    </Shell>
  );
}
