import type { FeedView } from "@/components/notifications/feed-view";
import { isId } from "@/lib/ids";
import { NotificationType } from "@/lib/notifications/schema";

export type FeedSearch = Record<string, string | string[] | undefined>;

/** Reads the feed's view from the query. Unknown values are ignored. */
export function viewOf(search: FeedSearch): { view: FeedView; before?: string; open?: string } {
  const asked = (name: string) => {
    const value = search[name];
    return (Array.isArray(value) ? value.at(-1) : value) ?? "";
  };
  const tab = asked("tab");
  const place = tab === "snoozed" || tab === "done" ? tab : "inbox";
  const words = asked("q").trim().slice(0, 200);
  return {
    view: {
      place,
      ...(isId("app", asked("app")) && { appId: asked("app") }),
      ...(asked("type") && NotificationType.safeParse(asked("type")).success && { type: asked("type") }),
      ...(place === "inbox" && asked("show") === "unread" && { unread: true }),
      ...(place === "inbox" && asked("show") === "muted" && { muted: true }),
      ...(words && !words.includes("\0") && { search: words }),
    },
    ...(isId("ntf", asked("before")) && { before: asked("before") }),
    ...(isId("ntf", asked("open")) && { open: asked("open") }),
  };
}
