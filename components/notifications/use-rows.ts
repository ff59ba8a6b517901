"use client";
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { FeedNotification } from "./types";

/** A row keeps the place in which it was first shown, also when something newer takes it over. */
export type PlacedNotification = FeedNotification & { sortAt: number };

/**
 * The rows to show. What arrives goes on top while the owner is at the top and not in the list, else it is held back until
 * they ask for it. What they have just acted on neither comes back with a list that was read before, nor goes while it is in use.
 */
export function useRows(notifications: FeedNotification[], { oldestFirst = false }: { oldestFirst?: boolean } = {}) {
  const asRow = (it: FeedNotification): PlacedNotification => ({ ...it, sortAt: sortTime(it) });
  const [rows, setRows] = useState(() => notifications.map(asRow));
  const [held, setHeld] = useState<FeedNotification[]>([]);
  const hidden = useRef(new Set<string>());
  /** What was brought back, and until when a list that lacks it is taken for one that was read before. */
  const restored = useRef(new Map<string, number>());
  const known = useRef(notifications);

  const inOrder = useCallback(
    (all: PlacedNotification[]) =>
      all.sort((one, other) => {
        const later = other.sortAt - one.sortAt || (other.id < one.id ? -1 : 1);
        return oldestFirst ? -later : later;
      }),
    [oldestFirst],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a list that was read anew changes what there is
  useLayoutEffect(() => {
    if (known.current === notifications) return;
    known.current = notifications;
    // The service has it: should one come back later, it is shown again.
    for (const id of hidden.current) if (!notifications.some((it) => it.id === id)) hidden.current.delete(id);
    const now = new Map(notifications.filter(({ id }) => !hidden.current.has(id)).map((it) => [it.slot, it]));
    for (const { id } of notifications) restored.current.delete(id);
    const isBack = (id: string) => performance.now() < (restored.current.get(id) ?? 0);
    const kept = rows.flatMap((row) => {
      const it = now.get(row.slot);
      now.delete(row.slot);
      return it ? [{ ...it, sortAt: row.sortAt }] : isInUse(row.id) || isBack(row.id) ? [row] : [];
    });
    const top = Math.max(0, ...rows.map(({ sortAt }) => sortAt));
    const above = oldestFirst ? [] : [...now.values()].filter((it) => sortTime(it) > top);
    const holds = rows.length > 0 && above.length > 0 && !mayMove();
    const fresh = [...now.values()].filter((it) => !holds || !above.includes(it));
    if (rows.length > 0 && above.length > 0 && !holds) movedAt = performance.now();
    setHeld(holds ? above : []);
    setRows(inOrder([...kept, ...fresh.map((it) => ({ ...it, sortAt: sortTime(it) }))]));
  }, [notifications]);

  return {
    rows,
    held,
    /** Show what was held back. */
    reveal() {
      setRows((before) => inOrder([...held.map((it) => ({ ...it, sortAt: sortTime(it) })), ...before]));
      setHeld([]);
    },
    hide(ids: readonly string[]) {
      for (const id of ids) {
        hidden.current.add(id);
        restored.current.delete(id);
      }
      setRows((before) => before.filter(({ id }) => !ids.includes(id)));
    },
    /** Bring back what was hidden. */
    restore(these: readonly PlacedNotification[]) {
      for (const { id } of these) {
        hidden.current.delete(id);
        restored.current.set(id, performance.now() + staleMs);
      }
      setRows((before) =>
        inOrder([...before, ...these.filter(({ slot }) => !before.some((row) => row.slot === slot))]),
      );
    },
    setRead(ids: readonly string[], read: boolean) {
      setRows((before) => before.map((row) => (ids.includes(row.id) ? { ...row, read } : row)));
    },
  };
}

/** How long a list may be under way that was read before a row was brought back. */
const staleMs = 10_000;

const sortTime = ({ doneAt, surfacedAt }: FeedNotification) => doneAt ?? surfacedAt;

const rowOf = (id: string) => document.querySelector(`[data-row="${id}"]`)?.closest("li");

/** Whether the owner is reading it. */
const isInUse = (id: string) => {
  const row = rowOf(id);
  return !!row && (row.contains(document.activeElement) || row.querySelector("details[data-told][open]") !== null);
};

/** When rows last made way for an arrival; a second one meanwhile would make them jump. */
let movedAt = Number.NEGATIVE_INFINITY;
const calmMs = 500;

/** Whether rows may move under the owner's eyes: at the top, with the focus elsewhere, gliding, and not on the way already. */
const mayMove = () =>
  window.scrollY < 40 &&
  !document.activeElement?.closest("[data-slot]") &&
  !isStill() &&
  performance.now() - movedAt > calmMs;

/** Whether the owner wants nothing to move. */
export const isStill = () =>
  window.matchMedia("(prefers-reduced-motion: reduce)").matches ||
  document.documentElement.dataset.motion === "reduced";
