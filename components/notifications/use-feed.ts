"use client";
import { useEffect } from "react";
import { useKeys } from "@/components/keyboard/key-bindings";
import { useFocus } from "@/components/triage/fallback-focus";
import { listKeys } from "@/components/triage/list-shortcuts";
import { useLatest } from "@/components/triage/use-latest-callbacks";
import { selectionIn, useListStore, useNews } from "@/components/triage/use-list-store";
import { useArrivals } from "./announce-new-notifications";
import type { FeedNotification, TriageName } from "./feed-notification";
import type { FeedView } from "./feed-view";
import { useCurrentRow } from "./use-current-row";
import { newestFirst, oldestFirst, type PlacedNotification, useFeedRows, useGlide } from "./use-feed-rows";
import { useFeedTriage } from "./use-feed-triage";

export type FeedOptions = {
  notifications: FeedNotification[];
  /** The notification in the URL, which is open. */
  opened?: string | undefined;
  view: FeedView;
  /**
   * The time up to which notifications count as seen. Absent unless this view shows the whole
   * inbox.
   */
  seenAt?: number | undefined;
  /** When the list next changes automatically, in epoch milliseconds. */
  changesAt?: number | undefined;
};

/** The feed's state, and the owner's actions on it. */
export function useFeed({ notifications, opened, view, seenAt, changesAt }: FeedOptions) {
  const store = useListStore();
  const { said, announce } = useNews(store);
  const rows = useFeedRows(notifications, view.place === "snoozed" ? oldestFirst : newestFirst);
  const list = useGlide(rows.rows);
  const focusOn = useFocus();
  const { current, setAt, leave, move } = useCurrentRow({ rows: rows.rows, list, focusOn });
  const { selected, ...selection } = selectionIn(store, rows.rows, ({ id }) => id);
  const triaging = useFeedTriage(rows, { view, stays: opened !== undefined, announce });
  useArrivals({ shown: rows.rows, held: rows.held, place: view.place, seenAt, changesAt, announce });

  /** Performs an action. If the action removes the current row, moves to the next row. */
  function act(name: TriageName, these: PlacedNotification[]) {
    const gone = new Set(triaging.act(name, these).map(({ slot }) => slot));
    selection.clear();
    leave(gone);
  }

  useKeys(
    "Notifications",
    listKeys({
      noun: "notification",
      move: (by, selects) => move(by, selects ? selection.add : undefined),
      // Inside a text, arrows scroll as usual.
      isReading: ({ target }) => target instanceof Element && target.closest("[data-text], [data-menu]") !== null,
      select: () => current && selection.toggle(current),
      mark: (read) => act(read ? "read" : "unread", selected.length > 0 ? selected : current ? [current] : []),
      undo: triaging.undo,
      leave: () => (selected.length > 0 ? selection.clear() : false),
    }),
  );

  // Stable handlers, so that only changed rows re-render.
  const on = useLatest({
    act: (name: TriageName, row: PlacedNotification) => act(name, [row]),
    open: (row: PlacedNotification) => {
      if (!row.read) triaging.act("read", [row], { quietly: true });
    },
    here: (row: PlacedNotification) => setAt(row.slot),
    select: selection.toggle,
  });
  // The addressed notification was opened before its toggle handler existed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes
  useEffect(() => {
    const row = rows.rows.find(({ id }) => id === opened);
    if (row) on.open(row);
  }, []);
  const reveal = () => {
    const [first] = rows.held;
    rows.reveal();
    window.scrollTo({ top: 0 });
    setAt(first?.slot);
    focusOn(`[data-row="${first?.id}"]`);
  };
  return { rows, list, current, selected, selection, triaging, said, act, on, reveal };
}
