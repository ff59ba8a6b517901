import { Shell } from "@/components/layout/shell";
import { Live } from "@/components/live/live";
import { readNews } from "@/lib/events/news";
import { readQuiet } from "@/lib/notifications/quiet";
import { requireOwner } from "@/lib/web/session";

export default async function OwnerLayout({ children }: { children: React.ReactNode }) {
  const owner = await requireOwner();
  const { pending, unseen, event } = await readNews({ ...owner, quiet: await readQuiet(owner) });
  return (
    <Shell owner={owner} pending={pending} unseen={unseen}>
      <Live pending={pending} event={event} ownerId={owner.ownerId} />
      {children}
    </Shell>
  );
}
