"use client";
import { useState } from "react";
import { type FormFields, sendAction } from "@/components/actions/send-action";
import { singleKeysAct } from "@/components/keyboard/single-key-preference";
import { type RowAction, useRowActions } from "@/components/triage/use-row-actions";
import { aboutOf, leavingRows, markedIds } from "./affected-rows";
import type { Step, TriageName } from "./feed-notification";
import type { FeedView } from "./feed-view";
import type { PlacedNotification, useFeedRows } from "./use-feed-rows";

/** An action, the rows that it removed, and the IDs whose read mark it changed. */
type FeedAction = RowAction<PlacedNotification, Step> & { reads: boolean; marked: string[]; quietly: boolean };
/** Whether to offer no undo, for example when opening a notification marks it as read. */
type Options = { quietly?: boolean; form?: FormFields };
type FeedTriageOptions = { view: FeedView; stays: boolean; announce: (words: string) => void };

const reasons = {
  signedOut: "You’re signed out. Sign in and try again.",
  lost: "The server isn’t responding. Check your connection and try again.",
};

/** The owner's actions on the feed's rows, with undo. */
export function useFeedTriage(rows: ReturnType<typeof useFeedRows>, { view, stays, announce }: FeedTriageOptions) {
  const [trouble, setTrouble] = useState<{ message: string; again: () => void }>();
  const failed = (_: FeedAction, message: string, again: () => void) => {
    setTrouble({ message, again });
    announce(`Couldn’t save your change. ${message}`);
  };
  const actions = useRowActions<PlacedNotification, Step, FeedAction>({
    show({ gone, marked, reads }, done) {
      setTrouble(undefined);
      if (done) rows.hide(gone.map(({ id }) => id));
      else rows.restore(gone);
      if (marked.length > 0)
        rows.change((row) => (marked.includes(row.id) ? { ...row, read: done ? reads : !reads } : row));
    },
    save: ({ gone }) => rows.save(gone.map(({ id }) => id)),
    sendBack: ({ undo: { act, ids, at } }) => sendAction(`notification.${act}`, formOf(ids, at)),
    told: {
      done: (_, { words }) => announce(singleKeysAct() ? `${words}. Press U to undo.` : words),
      undone: (_, { words }) => announce(`Undone: ${words}`),
      failed,
      notUndone: failed,
    },
    reasons,
  });

  /** @returns the rows that leave the view */
  function act(
    name: TriageName,
    these: readonly PlacedNotification[],
    { quietly = false, form = formOf(these.map(({ id }) => id)) }: Options = {},
  ): readonly PlacedNotification[] {
    if (these.length === 0) return [];
    const gone = stays ? [] : leavingRows(name, these, rows.rows, view);
    const send = async () => {
      const result = await sendAction(`notification.${name}`, form);
      if (!result?.ok) return result;
      const { undo, words = "" } = result.value ?? {};
      return { ok: true as const, value: undo && !quietly ? { undo, words } : undefined };
    };
    actions.act({
      about: aboutOf(name, these),
      gone,
      reads: name.startsWith("read"),
      marked: markedIds(name, these),
      quietly,
      send,
    });
    return gone;
  }

  /** Undoes the latest action that can be undone. */
  function undo() {
    const last = actions.stepsNow().findLast(({ act }) => !act.quietly);
    if (last) actions.undo(last.act);
  }

  const last = actions.steps.findLast(({ step }) => step);
  /** `last` is the next action to undo, with its number on this page. */
  return { act, undo, trouble, last: last?.step && { ...last.step, key: last.key } };
}

const formOf = (ids: readonly string[], at: readonly number[] = []) =>
  new URLSearchParams([...ids.map((id) => ["ids", id]), ...at.map((time) => ["at", String(time)])]);
