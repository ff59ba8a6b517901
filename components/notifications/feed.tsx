import type { FormAction } from "@/components/ui/action-form";
import type { FeedItem } from "@/lib/notifications/schema";
import { FeedRow } from "./feed-row";

/** The feed's address with these settings. */
export const feedAddress = ({ appId, unread }: { appId?: string; unread?: boolean }, before?: string) => {
  const query = new URLSearchParams({
    ...(appId && { app: appId }),
    ...(unread && { show: "unread" }),
    ...(before && { before }),
  });
  return `/notifications${query.size > 0 ? `?${query}` : ""}`;
};

/** What apps told, newest first. */
export function Feed({ notifications, action }: { notifications: FeedItem[]; action: FormAction }) {
  return (
    <ul className="overflow-hidden rounded-xl border border-line bg-raised shadow-card">
      {notifications.map((told) => (
        <FeedRow key={told.id} told={told} action={action} />
      ))}
    </ul>
  );
}
