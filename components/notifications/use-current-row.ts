"use client";
import { useState } from "react";
import type { useFocus } from "@/components/triage/fallback-focus";
import type { PlacedNotification } from "./use-feed-rows";

type Cursor = {
  rows: readonly PlacedNotification[];
  list: React.RefObject<HTMLElement | null>;
  focusOn: ReturnType<typeof useFocus>;
};

/** The row that follows `current` after some rows are removed. */
export function rowAfter<Row extends { slot: string }>(
  rows: readonly Row[],
  current: Row,
  gone: ReadonlySet<string>,
): Row | undefined {
  const from = rows.indexOf(current);
  const stays = (row: Row) => !gone.has(row.slot);
  return rows.slice(from).find(stays) ?? rows.slice(0, from).findLast(stays);
}

/** The row that shortcuts act on. At first, it is the first row. */
export function useCurrentRow({ rows, list, focusOn }: Cursor) {
  const [at, setAt] = useState(rows[0]?.slot);
  const current = rows.find(({ slot }) => slot === at) ?? rows[0];
  if (current && current.slot !== at) setAt(current.slot);
  return {
    current,
    setAt,
    /** If the current row is removed, moves to the row that takes its place. */
    leave(gone: ReadonlySet<string>) {
      if (!current || !gone.has(current.slot)) return;
      const next = rowAfter(rows, current, gone);
      setAt(next?.slot);
      const inside = document.activeElement === document.body || list.current?.contains(document.activeElement);
      if (inside) focusOn(next ? `[data-row="${next.id}"]` : "[data-empty] h2");
    },
    /**
     * Moves by one row.
     * @param select selects the rows at both ends of the move, if given
     */
    move(by: 1 | -1, select: ((these: PlacedNotification[]) => void) | undefined) {
      const focused = list.current?.contains(document.activeElement);
      const place = current ? rows.indexOf(current) : -1;
      // With the focus outside the list, the first press only focuses the current row.
      const to = focused || select ? rows[place + by] : (rows[place] ?? rows[0]);
      if (!to) return;
      if (current) select?.([current, to]);
      setAt(to.slot);
      focusOn(`[data-row="${to.id}"]`);
    },
  };
}
