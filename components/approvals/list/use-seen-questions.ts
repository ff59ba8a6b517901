"use client";
import { useEffect, useEffectEvent, useRef } from "react";
import { sendAction } from "@/components/actions/send-action";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import type { ListStore } from "@/components/triage/use-list-store";
import { inChunks } from "./send-inbox-actions";

/** How long a question must be in view to count as seen, in milliseconds. */
const lookMs = 1000;
const debounceMs = 1500;

/**
 * Tracks which questions the owner has seen. Reports are separate requests, so that no answer waits
 * for them.
 */
export function useSeen({ state, dispatch }: ListStore, current: InboxApproval | undefined, shown: boolean) {
  const marks = state.seen;
  const seen = (approval: InboxApproval) => marks.get(markOf(approval)) ?? approval.triage.seen;
  const mark = (several: readonly InboxApproval[], as: boolean) => {
    dispatch({ type: "marked", keys: several.map(markOf), seen: as });
    for (const { _id } of several) report(_id, as);
  };
  const fresh = current && shown && !current.resolution && !current.triage.seen && !marks.has(markOf(current));
  const id = fresh ? markOf(current) : undefined;
  const see = useEffectEvent(() => document.hidden || !current || mark([current], true));
  useEffect(() => {
    if (id === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    // Restarts when the page becomes visible, because nobody reads a background tab.
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(() => see(), lookMs);
    };
    begin();
    document.addEventListener("visibilitychange", begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", begin);
    };
  }, [id]);
  return { seen, mark };
}

/**
 * The key under which a question is marked as seen. It changes with each addition, which makes the
 * question unseen again.
 */
const markOf = ({ _id, additions }: InboxApproval) => `${_id} ${additions.length}`;

const waiting = new Map<string, boolean>();
let timer: ReturnType<typeof setTimeout> | undefined;

function report(id: string, seen: boolean) {
  waiting.set(id, seen);
  clearTimeout(timer);
  timer = setTimeout(() => {
    for (const as of [true, false]) {
      const ids = [...waiting].filter(([, it]) => it === as).map(([it]) => it);
      for (const part of inChunks(ids)) {
        const body = new URLSearchParams([...part.map((it) => ["ids", it]), ["seen", as ? "yes" : "no"]]);
        // If a report is lost, a row merely stays unread.
        sendAction("approval.see", body, { here: null }).catch(() => {});
      }
    }
    waiting.clear();
  }, debounceMs);
}

/** Notifies the owner when the app adds to the open question. */
export function useAdditions(current: InboxApproval | undefined, notify: (words: string) => void) {
  const known = useRef<{ id: string | undefined; count: number }>({ id: undefined, count: 0 });
  const id = current?.resolution ? undefined : current?._id;
  const count = current?.additions.length ?? 0;
  const compare = useEffectEvent((id: string | undefined, count: number) => {
    const before = known.current;
    known.current = { id, count };
    if (id !== undefined && before.id === id && count > before.count)
      notify(`${current?.app.name} added details to its question. Read them before you answer.`);
  });
  useEffect(() => compare(id, count), [id, count]);
}
