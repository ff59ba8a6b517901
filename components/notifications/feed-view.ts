import { urlWithQuery } from "@/components/ui/url-with-query";
import type { FeedPlace as Place } from "@/lib/notifications/schema";

/** The displayed part of the feed. */
export type FeedView = {
  place: Place;
  appId?: string;
  type?: string;
  unread?: boolean;
  muted?: boolean;
  search?: string;
};

/** The URL of a view. */
export const feedAddress = ({ place, appId, type, unread, muted, search }: FeedView, before?: string): string =>
  urlWithQuery("/notifications", {
    tab: place === "inbox" ? undefined : place,
    show: muted ? "muted" : unread ? "unread" : undefined,
    app: appId,
    type,
    q: search,
    before,
  });

/** Whether the view is filtered. */
export const isNarrowed = ({ appId, type, unread, muted, search }: FeedView): boolean =>
  Boolean(appId || type || unread || muted || search);
