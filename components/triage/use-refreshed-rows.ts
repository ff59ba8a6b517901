"use client";
import { useLayoutEffect, useMemo, useState } from "react";
import { readingBeganAt } from "@/components/live/connection-and-refresh";
import {
  changeRows,
  dropRows,
  firstRows,
  hideRows,
  type Reading,
  type RowRules,
  readRows,
  restoreRows,
  revealRows,
  saveRows,
  shownRows,
} from "./refreshed-rows";

/**
 * Keeps a list's rows across refreshes. Times are by `performance.now()`.
 * @param listed the latest list, as a new array for each refresh
 * @param rules must not change during the component's lifetime
 * @param reading returns which rows must stay and whether rows may move, when a list arrives
 */
export function useRefreshedRows<Row>(
  listed: readonly Row[],
  rules: RowRules<Row>,
  reading: () => Omit<Reading<Row>, "now" | "beganAt">,
) {
  const [state, set] = useState(() => firstRows(listed, rules));
  // Runs before painting, because `reading` inspects the page's current elements.
  useLayoutEffect(() => {
    if (state.listed === listed) return;
    const now = { now: performance.now(), beganAt: readingBeganAt(), ...reading() };
    set((before) => readRows(before, listed, rules, now));
  });
  const actions = useMemo(
    () => ({
      hide: (ids: readonly string[]) => set((now) => hideRows(now, ids)),
      save: (ids: readonly string[]) => set((now) => saveRows(now, ids, performance.now())),
      restore: (these: readonly Row[]) => set((now) => restoreRows(now, these, rules, performance.now())),
      reveal: () => set((now) => revealRows(now, rules)),
      drop: (these: readonly Row[]) => set((now) => dropRows(now, these)),
      change: (how: (row: Row) => Row) => set((now) => changeRows(now, how)),
    }),
    [rules],
  );
  const rows = useMemo(() => shownRows(state, rules), [state, rules]);
  return { state, rows, held: state.held, ...actions };
}
