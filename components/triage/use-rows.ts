"use client";
import { useLayoutEffect, useMemo, useState } from "react";
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
  shownRows,
} from "./rows";

/**
 * The rows of a list, on this page's clock.
 * @param listed as it was read last; another array whenever it was read again
 * @param rules the same for as long as the component lives
 * @param reading what the page knows when a list comes
 */
export function useRows<Row>(listed: readonly Row[], rules: RowRules<Row>, reading: () => Omit<Reading<Row>, "now">) {
  const [state, set] = useState(() => firstRows(listed, rules));
  // Before anything is painted, and after what it depends on can be seen in the page.
  useLayoutEffect(() => {
    if (state.listed === listed) return;
    const now = { now: performance.now(), ...reading() };
    set((before) => readRows(before, listed, rules, now));
  });
  const acts = useMemo(
    () => ({
      hide: (ids: readonly string[]) => set((now) => hideRows(now, ids)),
      restore: (these: readonly Row[]) => set((now) => restoreRows(now, these, rules, performance.now())),
      reveal: () => set((now) => revealRows(now, rules)),
      drop: (these: readonly Row[]) => set((now) => dropRows(now, these)),
      change: (how: (row: Row) => Row) => set((now) => changeRows(now, how)),
    }),
    [rules],
  );
  const rows = useMemo(() => shownRows(state, rules), [state, rules]);
  return { state, rows, held: state.held, ...acts };
}
