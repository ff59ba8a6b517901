"use client";
import { useMemo, useReducer } from "react";
import { singleKeysAct } from "@/components/keyboard/single-key-preference";
import { firstState, type ListEvent, type ListState, listReducer, type Toast } from "./list-reducer";

export type ListStore = { state: ListState; dispatch: (event: ListEvent) => void };

/** A list's store. @param named the row that the URL names initially */
export function useListStore(named?: string): ListStore {
  const [state, dispatch] = useReducer(listReducer, named, firstState);
  return { state, dispatch };
}

const shortMs = 6000;

/** Messages for the owner: screen readers announce `said`, and `toast` is shown briefly. */
export function useNews({ state: { said, toast }, dispatch }: ListStore) {
  const actions = useMemo(() => {
    const announce = (words: string) => dispatch({ type: "said", words });
    const show = (words: string, more: Partial<Toast> = {}) =>
      dispatch({ type: "told", toast: { leftMs: shortMs, ...more, words } });
    return {
      announce,
      show,
      hide: (key?: number) => dispatch({ type: "hid", key }),
      notify(words: string, undo?: () => void) {
        announce(undo ? `${words}.${singleKeysAct() ? " Press U to undo." : ""}` : words);
        show(words, undo && { undo });
      },
    };
  }, [dispatch]);
  return useMemo(() => ({ said, toast, ...actions }), [said, toast, actions]);
}
export type ListMessages = ReturnType<typeof useNews>;

/**
 * The selected rows of a list.
 * @param keyOf returns a row's key: the ID, and any content whose change deselects the row
 */
export const selectionIn = <Row>(
  { state: { selected }, dispatch }: ListStore,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
) => ({
  selected: selected.size > 0 ? rows.filter((row) => selected.has(keyOf(row))) : [],
  toggle: (row: Row) => dispatch({ type: "toggled", key: keyOf(row) }),
  add: (several: readonly Row[]) => dispatch({ type: "selected", keys: several.map(keyOf) }),
  clear: () => dispatch({ type: "cleared" }),
});
