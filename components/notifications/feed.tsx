"use client";
import { useEffect } from "react";
import { useFlashOf } from "@/components/actions/flash";
import { useKeys } from "@/components/keys/keys";
import { KeysHeading } from "@/components/keys/shortcut";
import { useSingleKeys } from "@/components/keys/single-keys";
import { useFocus } from "@/components/triage/focus";
import { listKeys } from "@/components/triage/list-keys";
import { useLatest } from "@/components/triage/use-latest";
import { selectionIn, useListStore, useNews } from "@/components/triage/use-list-store";
import { NewRows, NotSaved, UndoToast } from "./feed-parts";
import { FeedRow } from "./feed-row";
import { newestFirst, oldestFirst, type PlacedNotification, useFeedRows, useGlide } from "./feed-rows";
import { Toolbar } from "./toolbar";
import type { FeedNotification, FeedView, Step, TriageName } from "./types";
import { useArrivals } from "./use-arrivals";
import { useFeedCursor } from "./use-feed-cursor";
import { useTriage } from "./use-triage";

export type FeedProps = {
  notifications: FeedNotification[];
  /** The notification in the address, which is open. */
  opened?: string | undefined;
  view: FeedView;
  /** The unread count of this view's tab, if all of it is shown from its top. */
  unread: number;
  /** Whether an earlier page has newer ones. */
  beyond: boolean;
  /** The time up to which notifications are seen; absent if this view does not show all of them. */
  seenAt?: number | undefined;
  /** When the list next changes automatically, in epoch milliseconds. */
  changesAt?: number | undefined;
  empty: React.ReactNode;
};

/** The rows and their actions, by pointer, touch and key. */
export function Feed(props: FeedProps) {
  const { opened, view, unread, beyond, empty } = props;
  const { rows, list, current, selected, selection, triaging, said, act, on, reveal } = useFeed(props);
  const { step, failed } = useOutcome(triaging);
  const { trouble, last, undo } = triaging;
  return (
    <KeysHeading name="Notifications">
      <div data-feed data-keys={useSingleKeys() ? "on" : "off"}>
        <NewRows count={rows.held.length} isSelecting={selected.length > 0} onReveal={reveal} />
        <Toolbar
          view={view}
          rows={rows.rows}
          unread={unread}
          beyond={beyond}
          selected={selected.length}
          onAct={(name) => act(name, selected)}
          onReadAll={(form) => triaging.act("read-all", rows.rows, { form })}
          onClear={selection.clear}
        />
        {failed ? <NotSaved why={failed} again={trouble?.again} /> : null}
        {rows.rows.length > 0 ? (
          <ul ref={list} className="relative rounded-xl bg-pane forced-colors:border">
            {rows.rows.map((row) => (
              <FeedRow
                key={row.slot}
                notification={row}
                current={row === current}
                done={row === current && selected.length === 0}
                selected={selected.includes(row)}
                opened={row.id === opened}
                on={on}
              />
            ))}
          </ul>
        ) : (
          <div data-empty>{empty}</div>
        )}
        <UndoToast step={step} undo={last && undo} />
        <p role="status" className="sr-only">
          {said}
        </p>
      </div>
    </KeysHeading>
  );
}

/** The feed's state, and the owner's actions on it. */
function useFeed({ notifications, opened, view, seenAt, changesAt }: FeedProps) {
  const store = useListStore();
  const { said, announce } = useNews(store);
  const rows = useFeedRows(notifications, view.place === "snoozed" ? oldestFirst : newestFirst);
  const list = useGlide(rows.rows);
  const focusOn = useFocus();
  const { current, setAt, leave, move } = useFeedCursor({ rows: rows.rows, list, focusOn });
  const { selected, ...selection } = selectionIn(store, rows.rows, ({ id }) => id);
  const triaging = useTriage(rows, { view, stays: opened !== undefined, announce });
  useArrivals({ shown: rows.rows, held: rows.held, place: view.place, seenAt, changesAt, announce });

  /** Runs an action, and moves to the row that takes the first one's place. */
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

/** The latest action and the latest failure: this page's, or those of a form sent without scripts. */
function useOutcome({ last, trouble }: ReturnType<typeof useTriage>) {
  // The result of a form sent without scripts, or before they ran.
  const posted = useFlashOf("notification")?.result;
  return {
    step: last ?? (posted?.ok ? stepOf(posted.value as Partial<Step> | undefined) : undefined),
    failed: trouble?.message ?? (posted && !posted.ok ? posted.message : undefined),
  };
}

const stepOf = ({ undo, words = "" }: Partial<Step> = {}) => undo && { undo, words, key: 0 };
