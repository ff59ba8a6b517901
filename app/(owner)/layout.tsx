import { Shell } from "@/components/layout/shell";
import { Live } from "@/components/live/live";
import { readNews } from "@/lib/events/news";
import { requireOwner } from "@/lib/web/session";

export default async function OwnerLayout({ children }: { children: React.ReactNode }) {
  const owner = await requireOwner();
  const { pending, unread, event } = await readNews(owner);
  return (
    <Shell owner={owner} pending={pending} unread={unread}>
      <Live pending={pending} event={event} ownerId={owner.ownerId} />
      {children}
    </Shell>
  );
}
