"use client";
import { useState } from "react";
import { type FormFields, sendAction } from "@/components/actions/send";
import { singleKeysAct } from "@/components/keys/single-keys";
import { type RowAct, useActs } from "@/components/triage/use-acts";
import { aboutOf, leavingRows, markedIds } from "./act-rows";
import type { PlacedNotification, useFeedRows } from "./feed-rows";
import type { FeedView, Step, TriageName } from "./types";

/** What the owner did, with the rows that left and the ids of those of which only the mark changed. */
type FeedAct = RowAct<PlacedNotification, Step> & { reads: boolean; marked: string[]; quietly: boolean };
/** `quietly`: without a way back, which is what reading by itself does. */
type Options = { quietly?: boolean; form?: FormFields };
type Wires = { view: FeedView; stays: boolean; announce: (words: string) => void };

const reasons = {
  signedOut: "Sign in again, then try once more.",
  lost: "It did not reach the service. Check the connection and try again.",
};

/** What the owner does with the rows of the feed, and the way back from it. */
export function useTriage(rows: ReturnType<typeof useFeedRows>, { view, stays, announce }: Wires) {
  const [trouble, setTrouble] = useState<{ message: string; again: () => void }>();
  const failed = (_: FeedAct, message: string, again: () => void) => {
    setTrouble({ message, again });
    announce(`Not saved: ${message}`);
  };
  const acts = useActs<PlacedNotification, Step, FeedAct>({
    show({ gone, marked, reads }, done) {
      setTrouble(undefined);
      if (done) rows.hide(gone.map(({ id }) => id));
      else rows.restore(gone);
      if (marked.length > 0)
        rows.change((row) => (marked.includes(row.id) ? { ...row, read: done ? reads : !reads } : row));
    },
    sendBack: ({ undo: { act, ids, at } }) => sendAction(`notification.${act}`, formOf(ids, at)),
    told: {
      done: (_, { words }) => announce(singleKeysAct() ? `${words}. Undo: u` : words),
      undone: (_, { words }) => announce(`Undone: ${words}`),
      failed,
      notUndone: failed,
    },
    reasons,
  });

  /** @returns the rows that leave */
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
    acts.act({
      about: aboutOf(name, these),
      gone,
      reads: name.startsWith("read"),
      marked: markedIds(name, these),
      quietly,
      send,
    });
    return gone;
  }

  /** Take back the latest that can be. */
  function undo() {
    const last = acts.stepsNow().findLast(({ act }) => !act.quietly);
    if (last) acts.undo(last.act);
  }

  const last = acts.steps.findLast(({ step }) => step);
  /** What can be taken back next, with the number that it has on this page. */
  return { act, undo, trouble, last: last?.step && { ...last.step, key: last.key } };
}

const formOf = (ids: readonly string[], at: readonly number[] = []) =>
  new URLSearchParams([...ids.map((id) => ["ids", id]), ...at.map((time) => ["at", String(time)])]);
