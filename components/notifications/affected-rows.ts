import { everything } from "@/components/triage/item-state";
import type { FeedNotification } from "./feed-notification";
import type { FeedView } from "./feed-view";

type Row = Pick<FeedNotification, "id" | "app" | "type" | "read">;

/**
 * Returns the rows that an action removes from this view. Muting removes rows only in the inbox,
 * and unmuting only in the inbox's muted view.
 */
export function leavingRows<R extends Row>(act: string, these: readonly R[], all: readonly R[], view: FeedView): R[] {
  const { place, muted } = view;
  if (act.startsWith("read") || act === "unread" || (place === "snoozed" && act.startsWith("snooze"))) return [];
  if (!/mute-/.test(act)) return [...these];
  const [first] = these;
  if (!first || place !== "inbox" || act.startsWith("unmute") !== Boolean(muted)) return [];
  return all.filter(({ app, type }) => app.appId === first.app.appId && (act.endsWith("-app") || type === first.type));
}

/** Returns the IDs of the rows that an action marks as read or unread. */
export function markedIds(act: string, these: readonly Row[]): string[] {
  const read = act.startsWith("read");
  return read || act === "unread" ? these.filter((row) => row.read !== read).map(({ id }) => id) : [];
}

/**
 * Returns what an action applies to: its rows, the rows' apps if it mutes or unmutes, or all
 * notifications.
 */
export function aboutOf(act: string, these: readonly Row[]): string[] {
  if (act === "read-all") return [everything];
  return these.map(({ id, app }) => (/mute-/.test(act) ? app.appId : id));
}
