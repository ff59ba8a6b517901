"use client";
import { useRef, useState } from "react";
import { sendAct } from "@/components/acts/send";
import { singleKeysAct } from "@/components/keys/single-keys";
import { deliver } from "@/components/triage/deliver";
import type { Effect } from "@/components/triage/machine";
import { useMachine } from "@/components/triage/use-machine";
import { leavingRows, markedIds } from "./act-rows";
import type { FeedView, Step, TriageName, Undo } from "./types";
import type { PlacedNotification, useRows } from "./use-rows";

/** What the owner did, with the rows that left and the ids of those of which only the mark changed. */
type FeedAct = {
  name: TriageName;
  form: FormData;
  rows: readonly PlacedNotification[];
  gone: PlacedNotification[];
  marked: string[];
  /** Without a way back: what reading by itself does. */
  quietly: boolean;
};
type Options = { quietly?: boolean; form?: FormData };
type Wires = { view: FeedView; stays: boolean; announce: (words: string) => void };

/** How many acts can be undone, one after the other. */
const mostSteps = 50;
const reasons = {
  signedOut: "Sign in again, then try once more.",
  lost: "It did not reach the service. Check the connection and try again.",
};

/**
 * What the owner does with rows, by the machine that `components/triage` has: each act is an item of it, held for as long as
 * its way back is known, and the service is asked for one after the other.
 */
export function useTriage(rows: ReturnType<typeof useRows>, { view, stays, announce }: Wires) {
  const [trouble, setTrouble] = useState<{ message: string; again: () => void }>();
  const count = useRef(0);
  const { state, now, happen } = useMachine<FeedAct, Step | undefined>(
    (effect) => {
      if (effect.type === "request") request(effect.request);
      if (effect.type === "tell") tell(effect);
    },
    { oneByOne: true },
  );
  const held = () => [...now().items].filter(([, it]) => it.phase === "held" && it.outcome);

  function request({ number, kind, items: [given] }: Extract<AnyEffect, { type: "request" }>["request"]) {
    if (!given) return;
    const { id, item } = given;
    setTrouble(undefined);
    const failed = (message: string) => happen({ type: "failed", request: number, message });
    if (kind === "send")
      return void deliver(
        () => sendAct(`notification.${item.name}`, item.form),
        (value) => {
          const step = !item.quietly && value?.undo ? { undo: value.undo, words: value.words } : undefined;
          const reply = { type: "held" as const, outcome: step, leftMs: Number.POSITIVE_INFINITY };
          happen({ type: "replied", request: number, replies: new Map([[id, reply]]) });
        },
        failed,
        reasons,
      );
    const local = now().items.get(id);
    const before = local?.phase === "undoing" ? local.before : undefined;
    const step = before?.phase === "held" ? before.outcome : undefined;
    const undone = () => happen({ type: "undone", request: number, late: [] });
    // It failed, or changed nothing: there is nothing to take back.
    if (!step) return undone();
    void deliver(() => sendAct(`notification.${step.undo.act}`, undoForm(step.undo)), undone, failed, reasons);
  }

  function tell({ news, about, message = "" }: Extract<AnyEffect, { type: "tell" }>) {
    for (const { item, outcome } of about) {
      if (news === "held" && outcome) announce(singleKeysAct() ? `${outcome.words}. Undo: u` : outcome.words);
      if (news === "undone" && outcome) announce(`Taken back: ${outcome.words}`);
      if (news === "failed") restore(item);
      if (news === "not undone") remove(item);
      if (news !== "failed" && news !== "not undone") continue;
      setTrouble({ message, again: news === "failed" ? () => void act(item.name, item.rows, item) : undo });
      announce(`Not saved: ${message}`);
    }
    const ids = [...now().items].flatMap(([id, it]) => (isOver(it) ? [id] : []));
    happen({
      type: "forget",
      ids: [
        ...ids,
        ...held()
          .slice(0, -mostSteps)
          .map(([id]) => id),
      ],
    });
  }

  function remove({ name, gone, marked }: FeedAct) {
    rows.hide(gone.map(({ id }) => id));
    rows.setRead(marked, name.startsWith("read"));
  }
  function restore({ name, gone, marked }: FeedAct) {
    rows.restore(gone);
    rows.setRead(marked, !name.startsWith("read"));
  }

  /** @returns the rows that leave */
  function act(
    name: TriageName,
    these: readonly PlacedNotification[],
    { quietly = false, form = formOf(these.map(({ id }) => id)) }: Options = {},
  ): PlacedNotification[] {
    if (these.length === 0) return [];
    const gone = stays ? [] : leavingRows(name, these, rows.rows, view);
    const item: FeedAct = { name, form, quietly, rows: these, gone, marked: markedIds(name, these) };
    remove(item);
    count.current++;
    const items = [{ id: String(count.current), item, outcome: undefined }];
    happen({ type: "send", items, leftMs: Number.POSITIVE_INFINITY });
    return gone;
  }

  /** Take back the latest that can be. */
  function undo() {
    const last = [...now().items].findLast(
      ([, { phase, item }]) => !item.quietly && (phase === "sending" || phase === "held"),
    );
    if (!last) return;
    const [id, { item }] = last;
    restore(item);
    happen({ type: "undo", items: [{ id, item, outcome: undefined }] });
  }

  const last = [...state.items].findLast(([, it]) => it.phase === "held" && it.outcome);
  return {
    act,
    undo,
    trouble,
    /** What can be taken back next, with the number that it has on this page. */
    last:
      last && last[1].phase === "held" && last[1].outcome ? { ...last[1].outcome, key: Number(last[0]) } : undefined,
  };
}

type AnyEffect = Effect<FeedAct, Step | undefined>;

/** Nothing can be done about it any more. */
const isOver = (it: { phase: string; outcome?: Step | undefined }) =>
  it.phase === "undone" || it.phase === "failed" || (it.phase === "held" && !it.outcome);

function formOf(ids: readonly string[]): FormData {
  const form = new FormData();
  for (const id of ids) form.append("ids", id);
  return form;
}

function undoForm({ ids, at }: Undo): FormData {
  const form = formOf(ids);
  for (const time of at) form.append("at", String(time));
  return form;
}
