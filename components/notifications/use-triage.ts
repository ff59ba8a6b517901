"use client";
import { useRef, useState } from "react";
import { sendAct } from "@/components/acts/send";
import { singleKeysAct } from "@/components/keys/single-keys";
import { lookAgain } from "@/components/live/live-state";
import type { FeedView, Step, TriageName, Undo } from "./types";
import type { Row, useRows } from "./use-rows";

type Rows = ReturnType<typeof useRows>;
/** With the rows that left, and those of which only the mark changed. */
type Taken = { step: Step; rows: Row[]; marked: string[] };
type Trouble = { message: string; again: () => void };

/** What the owner does with rows: shown in the same frame, sent, and taken back where it did not arrive. */
export function useTriage(
  rows: Rows,
  { view: { place, muted }, stays }: { view: FeedView; stays: boolean },
  say: (words: string) => void,
) {
  /** What can be undone, the latest last. */
  const [trail, showTrail] = useState<Taken[]>([]);
  const [trouble, setTrouble] = useState<Trouble>();
  const latest = useRef(trail);
  const setTrail = (all: Taken[]) => {
    latest.current = all;
    showTrail(all);
  };
  // A way back is known once the service has answered, so undoing waits until what came before it has arrived.
  const underWay = useRef<Promise<unknown>>(Promise.resolve());
  const alsoUnderWay = (work: Promise<void>) => {
    underWay.current = Promise.all([underWay.current, work]);
  };

  /** Rows that this takes out of view. */
  function leaving(act: TriageName, these: readonly Row[]): Row[] {
    const [first] = these;
    if (stays) return [];
    if (act.startsWith("read") || act === "unread" || (place === "snoozed" && act.startsWith("snooze"))) return [];
    if (!/mute-/.test(act)) return [...these];
    // What is muted leaves the inbox alone.
    if (!first || place !== "inbox" || act.startsWith("unmute") !== Boolean(muted)) return [];
    return rows.rows.filter(
      ({ app, type }) => app.appId === first.app.appId && (act.endsWith("-app") || type === first.type),
    );
  }

  async function deliver(
    act: TriageName,
    form: FormData,
    failed: () => void,
    again: () => void,
    then: (step?: Step) => void,
  ) {
    setTrouble(undefined);
    const fail = (message: string) => {
      failed();
      setTrouble({ message, again });
      say(`Not saved: ${message}`);
    };
    try {
      const result = await sendAct(`notification.${act}`, form);
      if (!result) return fail("Sign in again, then try once more.");
      if (!result.ok) return fail(result.message);
      const { undo, words } = result.value ?? { words: "" };
      then(undo && { undo, words });
      lookAgain();
    } catch {
      fail("It did not reach the service. Check the connection and try again.");
    }
  }

  /**
   * @param quietly without a way back: what reading by itself does
   * @returns the rows that leave
   */
  function act(
    name: TriageName,
    these: readonly Row[],
    { quietly = false, form = formOf(these.map(idOf)) } = {},
  ): Row[] {
    if (these.length === 0) return [];
    const gone = leaving(name, these);
    const read = name.startsWith("read");
    const marked = read || name === "unread" ? these.filter((row) => row.read !== read).map(idOf) : [];
    rows.hide(gone.map(idOf));
    rows.setRead(marked, read);
    const work = deliver(
      name,
      form,
      () => {
        rows.restore(gone);
        rows.setRead(marked, !read);
      },
      () => void act(name, these, { quietly, form }),
      (step) => {
        if (quietly || !step) return;
        setTrail([...latest.current.slice(-49), { step, rows: gone, marked }]);
        say(singleKeysAct() ? `${step.words}. Undo: u` : step.words);
      },
    );
    alsoUnderWay(work);
    return gone;
  }

  /** Take back the latest. */
  function undo() {
    alsoUnderWay(underWay.current.then(takeBack));
  }

  async function takeBack() {
    const last = latest.current.at(-1);
    if (!last) return;
    const { step, rows: gone, marked } = last;
    setTrail(latest.current.slice(0, -1));
    rows.restore(gone);
    rows.setRead(marked, step.undo.act === "read");
    await deliver(
      step.undo.act,
      undoForm(step.undo),
      () => {
        rows.hide(gone.map(idOf));
        rows.setRead(marked, step.undo.act !== "read");
        setTrail([...latest.current, last]);
      },
      undo,
      () => say(`Taken back: ${step.words}`),
    );
  }

  return {
    act,
    undo,
    trouble,
    last: trail.at(-1)?.step,
  };
}

const idOf = ({ id }: Row) => id;

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
