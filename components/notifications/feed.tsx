"use client";
import { useEffect, useState } from "react";
import { useFlashOf } from "@/components/actions/flash";
import { actionUrl } from "@/components/actions/send";
import { useKeys } from "@/components/keys/keys";
import { KeysHeading } from "@/components/keys/shortcut";
import { useSingleKeys } from "@/components/keys/single-keys";
import { useFocus } from "@/components/triage/focus";
import { listKeys } from "@/components/triage/list-keys";
import { Toast } from "@/components/triage/toast";
import { useLatest } from "@/components/triage/use-latest";
import { useSelected } from "@/components/triage/use-selected";
import { useToast } from "@/components/triage/use-toast";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { plural } from "@/lib/text/plural";
import { FeedRow } from "./feed-row";
import { newestFirst, oldestFirst, type PlacedNotification, useFeedRows, useGlide } from "./feed-rows";
import { Toolbar } from "./toolbar";
import type { FeedNotification, FeedView, Step, TriageName, Undo } from "./types";
import { useArrivals } from "./use-arrivals";
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
export function Feed({ notifications, opened, view, unread, beyond, seenAt, changesAt, empty }: FeedProps) {
  // The result of a form sent without scripts, or before they ran.
  const posted = useFlashOf("notification")?.result;
  const { said, announce } = useToast();
  const rows = useFeedRows(notifications, view.place === "snoozed" ? oldestFirst : newestFirst);
  const list = useGlide(rows.rows);
  const focusOn = useFocus();
  const [at, setAt] = useState(rows.rows[0]?.slot);
  const { selected, ...selection } = useSelected(rows.rows, ({ id }) => id);
  const triaging = useTriage(rows, { view, stays: opened !== undefined, announce });
  useArrivals({ shown: rows.rows, held: rows.held, place: view.place, seenAt, changesAt, announce });

  const current = rows.rows.find(({ slot }) => slot === at) ?? rows.rows[0];
  if (current && current.slot !== at) setAt(current.slot);

  /** Runs an action, and moves to the row that takes the first one's place. */
  function act(name: TriageName, these: PlacedNotification[]) {
    const gone = new Set(triaging.act(name, these).map(({ slot }) => slot));
    selection.clear();
    if (!current || !gone.has(current.slot)) return;
    const from = rows.rows.indexOf(current);
    const left = (row: PlacedNotification) => !gone.has(row.slot);
    const next = rows.rows.slice(from).find(left) ?? rows.rows.slice(0, from).findLast(left);
    setAt(next?.slot);
    const inside = document.activeElement === document.body || list.current?.contains(document.activeElement);
    if (inside) focusOn(next ? `[data-row="${next.id}"]` : "[data-empty] h2");
  }

  function move(by: 1 | -1, selects = false) {
    const focused = list.current?.contains(document.activeElement);
    const place = current ? rows.rows.indexOf(current) : -1;
    // The first press shows the current row without moving.
    const to = focused || selects ? rows.rows[place + by] : (rows.rows[place] ?? rows.rows[0]);
    if (!to) return;
    if (selects && current) selection.add([current, to]);
    setAt(to.slot);
    focusOn(`[data-row="${to.id}"]`);
  }

  useKeys(
    "Notifications",
    listKeys({
      noun: "notification",
      move,
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
  const { last, undo, trouble } = triaging;
  const step = last ?? (posted?.ok ? stepOf(posted.value as Partial<Step> | undefined) : undefined);
  const [hidden, hide] = useState<number>();
  const failed = trouble?.message ?? (posted && !posted.ok ? posted.message : undefined);
  const reveal = () => {
    const [first] = rows.held;
    rows.reveal();
    window.scrollTo({ top: 0 });
    setAt(first?.slot);
    focusOn(`[data-row="${first?.id}"]`);
  };
  return (
    <KeysHeading name="Notifications">
      <div data-feed data-keys={useSingleKeys() ? "on" : "off"}>
        {/* Overlays the rows without any height, so that nothing moves. */}
        <div
          className={`pointer-events-none sticky top-2 z-10 flex h-0 ${selected.length > 0 ? "justify-end" : "justify-center"}`}
        >
          {rows.held.length > 0 ? (
            <Button variant="primary" className="pointer-events-auto rounded-full shadow-float" onClick={reveal}>
              {rows.held.length} new
              <span className="sr-only">: show {plural(rows.held.length, { one: "it", other: "them" })}</span>
            </Button>
          ) : null}
        </div>
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
        {failed ? (
          <div className="mb-3">
            <Notice tone="danger" title="Couldn’t save">
              <p>{failed}</p>
              {trouble ? (
                <Button size="small" className="mt-2" onClick={trouble.again}>
                  Try again
                </Button>
              ) : null}
            </Notice>
          </div>
        ) : null}
        {rows.rows.length > 0 ? (
          <ul ref={list} className="relative rounded-xl border border-line bg-raised shadow-card">
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
        <Toast
          toast={
            step && step.key !== hidden
              ? { key: step.key, words: step.words, leftMs: undoShowsMs, ...(last && { undo }) }
              : undefined
          }
          place="bottom-[calc(4.5rem+env(safe-area-inset-bottom))] sm:bottom-6 sm:ps-24 xl:ps-56"
          {...(step && {
            form: { action: actionUrl(`notification.${step.undo.act}`), fields: <UndoFields undo={step.undo} /> },
          })}
          onHide={hide}
        />
        <p role="status" className="sr-only">
          {said}
        </p>
      </div>
    </KeysHeading>
  );
}

/** How long the undo button shows, in ms; its key works afterwards too. */
const undoShowsMs = 10_000;

const stepOf = ({ undo, words = "" }: Partial<Step> = {}) => undo && { undo, words, key: 0 };

/** The fields of the undo form without scripts. */
const UndoFields = ({ undo: { ids, at } }: { undo: Undo }) => (
  <>
    {ids.map((id) => (
      <input key={id} type="hidden" name="ids" value={id} />
    ))}
    {at.map((time, place) => (
      <input key={ids[place] ?? time} type="hidden" name="at" value={time} />
    ))}
  </>
);
