import { urlWithQuery } from "@/components/ui/url-with-query";
import type { FeedItem, FeedPlace as Place, Triage, Triaged } from "@/lib/notifications/schema";

/** A notification for display. Its text is rendered on the server. */
export type FeedNotification = Omit<FeedItem, "body" | "format"> & {
  /** The first words of its text, on one line. */
  firstLine?: string;
  /**
   * The rendered text. Absent if there is none, or if the page omits it to stay small (then `whole`
   * is false).
   */
  text?: React.ReactNode;
  whole: boolean;
};

/** The step that undoes an action. `Step` also describes the action in words. */
export type Undo = NonNullable<Triaged["undo"]>;
export type Step = { undo: Undo; words: string };
/** The actions on notifications. */
export type TriageName = Triage["act"];

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
