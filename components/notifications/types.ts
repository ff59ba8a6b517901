import { addressWith } from "@/components/ui/address";
import type { FeedItem, FeedPlace as Place, Triage, Triaged } from "@/lib/notifications/schema";

/** A notification ready to be shown: its text is rendered on the server. */
export type FeedNotification = Omit<FeedItem, "body" | "format"> & {
  /** The first words of its text, in one line. */
  firstLine?: string;
  /** Rendered; absent where there is none, or where it was left out to keep the page small (then `whole` is false). */
  text?: React.ReactNode;
  whole: boolean;
};

/** The way back from what was done, and what was done, in words. */
export type Undo = NonNullable<Triaged["undo"]>;
export type Step = { undo: Undo; words: string };
/** What is done with notifications. */
export type TriageName = Triage["act"];

/** What of the feed is shown. */
export type FeedView = {
  place: Place;
  appId?: string;
  type?: string;
  unread?: boolean;
  muted?: boolean;
  search?: string;
};

/** The feed's address with these settings. */
export const feedAddress = ({ place, appId, type, unread, muted, search }: FeedView, before?: string): string =>
  addressWith("/notifications", {
    tab: place === "inbox" ? undefined : place,
    show: muted ? "muted" : unread ? "unread" : undefined,
    app: appId,
    type,
    q: search,
    before,
  });

/** Whether less is shown than the whole of a tab. */
export const isNarrowed = ({ appId, type, unread, muted, search }: FeedView): boolean =>
  Boolean(appId || type || unread || muted || search);
