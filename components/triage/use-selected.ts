"use client";
import { useMemo, useState } from "react";

/**
 * The selected rows of a list.
 * @param keyOf the key of a row's selection: its ID, and anything that must not change
 */
export function useSelected<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a row is selected by never changes
  const actions = useMemo(
    () => ({
      toggle: (row: Row) =>
        setKeys((now) => {
          const key = keyOf(row);
          return now.has(key) ? new Set([...now].filter((it) => it !== key)) : new Set([...now, key]);
        }),
      add: (several: readonly Row[]) => setKeys((now) => new Set([...now, ...several.map(keyOf)])),
      clear: () => setKeys((now) => (now.size > 0 ? new Set() : now)),
    }),
    [],
  );
  return { selected: keys.size > 0 ? rows.filter((row) => keys.has(keyOf(row))) : [], ...actions };
}
