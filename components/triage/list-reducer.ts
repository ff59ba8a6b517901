/*
 * The local state of a list, such as the open row, the selection and the open dialog.
 * (`triage-state-machine` handles actions that reach the server.) Pure functions keep these parts
 * consistent. For example, clearing the selection closes its dialog.
 */

import { reannounce } from "@/components/live/reannounce";

/** The last action, shown briefly with its undo. */
export type Toast = {
  key: number;
  words: string;
  /** The toast's question and app. */
  about?: { _id?: string; question: string; app: { name: string } };
  /** How long the toast shows and its action can be undone, in milliseconds. */
  leftMs: number;
  undo?: () => void;
  /** Sends the answer now, without waiting for the end of its undo period. */
  commit?: () => void;
  /** Opens the toast's question. */
  open?: () => void;
};

export type ListState = {
  /** The row that the URL names. */
  named: string | undefined;
  /** The row that is open although the URL names none. */
  resting: string | undefined;
  /** The keys of the selected rows. */
  selected: ReadonlySet<string>;
  /** Whether a press on a row selects it instead of opening it. */
  picking: boolean;
  /** The groups that the owner opened or closed. */
  folds: ReadonlyMap<string, boolean>;
  /** By key, the rows that were marked on this page: true for seen, false for unread. */
  seen: ReadonlyMap<string, boolean>;
  /** The open row's selected option, before it is sent. */
  chosen: { id: string; option: string } | undefined;
  /** The open dialog, and the option that is preselected for a batch answer. */
  dialog: { name: "snooze" | "batch"; option?: string | undefined } | undefined;
  /** The latest announcement for screen readers. */
  said: string;
  toast: Toast | undefined;
  toasts: number;
};

export type ListEvent =
  | { type: "named" | "rested"; id: string | undefined }
  | { type: "toggled"; key: string }
  | { type: "selected"; keys: readonly string[] }
  | { type: "picked" | "cleared" }
  | { type: "folded"; key: string; open: boolean }
  | { type: "marked"; keys: readonly string[]; seen: boolean }
  /** Without an option, the selection is cleared. */
  | { type: "chose"; id: string; option?: string }
  | { type: "asked"; dialog: ListState["dialog"] }
  | { type: "said"; words: string }
  | { type: "told"; toast: Omit<Toast, "key"> }
  /** Without a key, any toast matches. */
  | { type: "hid"; key?: number | undefined };

export const firstState = (named?: string): ListState => ({
  named,
  resting: undefined,
  selected: new Set(),
  picking: false,
  folds: new Map(),
  seen: new Map(),
  chosen: undefined,
  dialog: undefined,
  said: "",
  toast: undefined,
  toasts: 0,
});

const choiceIn = ({ id, option }: { id: string; option?: string }) =>
  option === undefined ? undefined : { id, option };

/** Returns the next state, or the same object if nothing changes. */
export function listReducer(state: ListState, event: ListEvent): ListState {
  switch (event.type) {
    case "named":
      return event.id === state.named ? state : { ...state, named: event.id };
    case "rested":
      return event.id === state.resting ? state : { ...state, resting: event.id };
    case "toggled":
      return withSelection(state, toggled(state.selected, event.key));
    case "selected":
      return withSelection(state, new Set([...state.selected, ...event.keys]));
    case "picked":
      return { ...state, picking: true };
    case "cleared":
      return state.picking ? { ...withSelection(state, new Set()), picking: false } : withSelection(state, new Set());
    case "folded":
      return { ...state, folds: new Map(state.folds).set(event.key, event.open) };
    case "marked":
      return { ...state, seen: new Map([...state.seen, ...event.keys.map((key) => [key, event.seen] as const)]) };
    case "chose":
      return { ...state, chosen: choiceIn(event) };
    case "asked":
      return { ...state, dialog: event.dialog };
    case "said":
      return { ...state, said: reannounce(event.words, state.said) };
    case "told":
      return { ...state, toasts: state.toasts + 1, toast: { ...event.toast, key: state.toasts + 1 } };
    case "hid": {
      if (event.key !== undefined && event.key !== state.toast?.key) return state;
      // Screen readers must not find an offer to undo that has expired.
      return { ...state, toast: undefined, said: state.toast?.undo ? "" : state.said };
    }
  }
}

/** Changes the selection. If it becomes empty, the dialog about several rows closes. */
function withSelection(state: ListState, selected: ReadonlySet<string>): ListState {
  if (selected.size === 0 && state.selected.size === 0) return state;
  const dialog = selected.size === 0 && state.dialog?.name === "batch" ? undefined : state.dialog;
  return { ...state, selected, dialog };
}

const toggled = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  new Set(keys.has(key) ? [...keys].filter((it) => it !== key) : [...keys, key]);
