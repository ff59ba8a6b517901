import { everything } from "@/components/triage/item-state";
import type { FeedNotification } from "./feed-notification";
import type { FeedView } from "./feed-view";

type Row = Pick<FeedNotification, "id" | "app" | "type" | "read">;

/** The rows that an action removes from this view. Muting removes rows only in the inbox. */
export function leavingRows<R extends Row>(act: string, these: readonly R[], all: readonly R[], view: FeedView): R[] {
  const { place, muted } = view;
  if (act.startsWith("read") || act === "unread" || (place === "snoozed" && act.startsWith("snooze"))) return [];
  if (!/mute-/.test(act)) return [...these];
  const [first] = these;
  if (!first || place !== "inbox" || act.startsWith("unmute") !== Boolean(muted)) return [];
  return all.filter(({ app, type }) => app.appId === first.app.appId && (act.endsWith("-app") || type === first.type));
}

/** The IDs of the rows whose read mark an action changes. */
export function markedIds(act: string, these: readonly Row[]): string[] {
  const read = act.startsWith("read");
  return read || act === "unread" ? these.filter((row) => row.read !== read).map(({ id }) => id) : [];
}

/** The subjects of an action: its rows, the muted app, or everything. */
export function aboutOf(act: string, these: readonly Row[]): string[] {
  if (act === "read-all") return [everything];
  return these.map(({ id, app }) => (/mute-/.test(act) ? app.appId : id));
}
