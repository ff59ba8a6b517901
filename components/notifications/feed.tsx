"use client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSaidOf } from "@/components/acts/said";
import { useSingleKeys } from "@/components/keys/single-keys";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { FeedRow } from "./feed-row";
import { Toolbar } from "./toolbar";
import type { FeedNotification, FeedView, Step, TriageName } from "./types";
import { UndoBar } from "./undo-bar";
import { useArrivals } from "./use-arrivals";
import { useFeedKeys } from "./use-feed-keys";
import { useFocus } from "./use-focus";
import { useGlide } from "./use-glide";
import { type Row, useRows } from "./use-rows";
import { useTriage } from "./use-triage";

export type FeedProps = {
  notifications: FeedNotification[];
  /** The one that the address names: it is open. */
  opened?: string | undefined;
  view: FeedView;
  /** How many are unread in this view's tab, where all of it is shown from its top. */
  unread: number;
  /** Whether newer ones are on a page before this one. */
  beyond: boolean;
  /** Until when the owner has seen what came; absent where looking at this view is not seeing all of it. */
  seenAt?: number | undefined;
  /** When the list changes by itself, in epoch milliseconds. */
  changesAt?: number | undefined;
  /** What to show where there is nothing. */
  empty: React.ReactNode;
};

/** The rows, and everything that can be done with them by pointer, touch and key. */
export function Feed({ notifications, opened, view, unread, beyond, seenAt, changesAt, empty }: FeedProps) {
  // Of a form that was sent before scripts run, or without any.
  const posted = useSaidOf("notification")?.result;
  const [said, setSaid] = useState("");
  // The same words again are news only where something differs.
  const say = (words: string) => setSaid((before) => (before === words ? `${words}\u00a0` : words));
  const rows = useRows(notifications, { oldestFirst: view.place === "snoozed" });
  const list = useGlide(rows.rows);
  const focusOn = useFocus();
  const [at, setAt] = useState(rows.rows[0]?.slot);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const triaging = useTriage(rows, { view, stays: opened !== undefined }, say);
  useArrivals({ shown: rows.rows, held: rows.held, place: view.place, seenAt, changesAt, say });

  const current = rows.rows.find(({ slot }) => slot === at) ?? rows.rows[0];
  if (current && current.slot !== at) setAt(current.slot);
  const chosen = rows.rows.filter(({ id }) => selected.has(id));

  /** Do it, and go on to the row that then stands in the place of the first. */
  function act(name: TriageName, these: Row[], { keys = false } = {}) {
    const gone = new Set(triaging.act(name, these).map(({ slot }) => slot));
    setSelected(new Set());
    if (!current || !gone.has(current.slot)) return;
    const from = rows.rows.indexOf(current);
    const left = (row: Row) => !gone.has(row.slot);
    const next = rows.rows.slice(from).find(left) ?? rows.rows.slice(0, from).findLast(left);
    setAt(next?.slot);
    const inside = document.activeElement === document.body || list.current?.contains(document.activeElement);
    if (keys || inside) focusOn(next ? `[data-row="${next.id}"]` : "[data-empty] h2");
  }

  function move(by: 1 | -1, { selecting = false } = {}) {
    const focused = list.current?.contains(document.activeElement);
    const place = current ? rows.rows.indexOf(current) : -1;
    // The first press shows where one is.
    const to = focused || selecting ? rows.rows[place + by] : (rows.rows[place] ?? rows.rows[0]);
    if (!to) return;
    if (selecting && current) setSelected(new Set([...selected, current.id, to.id]));
    setAt(to.slot);
    focusOn(`[data-row="${to.id}"]`);
  }

  const toggle = useCallback(({ id }: Row) => {
    setSelected((before) => new Set(before.has(id) ? [...before].filter((it) => it !== id) : [...before, id]));
  }, []);

  useFeedKeys({
    place: view.place,
    current,
    move,
    act: (name) => act(name, chosen.length > 0 ? chosen : current ? [current] : [], { keys: true }),
    undo: triaging.undo,
    select: () => current && toggle(current),
    clear: () => (selected.size > 0 ? setSelected(new Set()) : false),
  });

  // The rows are drawn again only where they themselves change.
  const latest = useRef({ act });
  latest.current = { act };
  const quietly = useRef(triaging.act);
  quietly.current = triaging.act;
  const on = useMemo(
    () => ({
      act: (name: TriageName, row: Row) => latest.current.act(name, [row]),
      open: (row: Row) => {
        if (!row.read) quietly.current("read", [row], { quietly: true });
      },
      here: (row: Row) => setAt(row.slot),
      select: toggle,
    }),
    [toggle],
  );
  // The one that the address names was opened before anybody could hear it open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes
  useEffect(() => {
    const row = rows.rows.find(({ id }) => id === opened);
    if (row) on.open(row);
  }, []);
  const step = triaging.last ?? (posted?.ok ? stepOf(posted.value as Partial<Step> | undefined) : undefined);
  const failed = triaging.trouble?.message ?? (posted && !posted.ok ? posted.message : undefined);
  const reveal = () => {
    const [first] = rows.held;
    rows.reveal();
    window.scrollTo({ top: 0 });
    setAt(first?.slot);
    focusOn(`[data-row="${first?.id}"]`);
  };
  return (
    <div data-feed data-keys={useSingleKeys() ? "on" : "off"}>
      {/* Over the rows at any depth, and without any height, so that nothing moves for it. */}
      <div
        className={`pointer-events-none sticky top-2 z-10 flex h-0 ${chosen.length > 0 ? "justify-end" : "justify-center"}`}
      >
        {rows.held.length > 0 ? (
          <Button variant="primary" className="pointer-events-auto rounded-full shadow-float" onClick={reveal}>
            {rows.held.length} new
            <span className="sr-only">: show {rows.held.length === 1 ? "it" : "them"}</span>
          </Button>
        ) : null}
      </div>
      <Toolbar
        view={view}
        rows={rows.rows}
        unread={unread}
        beyond={beyond}
        chosen={chosen.length}
        onAct={(name) => act(name, chosen)}
        onReadAll={(form) => triaging.act("read-all", rows.rows, { form })}
        onClear={() => setSelected(new Set())}
      />
      {failed ? (
        <div className="mb-3">
          <Notice tone="danger" title="Not saved">
            <p>{failed}</p>
            {triaging.trouble ? (
              <Button size="small" className="mt-2" onClick={triaging.trouble.again}>
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
              selected={selected.has(row.id)}
              opened={row.id === opened}
              on={on}
            />
          ))}
        </ul>
      ) : (
        <div data-empty>{empty}</div>
      )}
      {step ? <UndoBar step={step} {...(triaging.last ? { onUndo: triaging.undo } : {})} /> : null}
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}

const stepOf = (value: Partial<Step> | undefined) => (value?.undo ? (value as Step) : undefined);
