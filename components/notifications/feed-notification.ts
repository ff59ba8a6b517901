import type { FeedItem, Triage, Triaged } from "@/lib/notifications/schema";

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
