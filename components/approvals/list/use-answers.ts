"use client";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { dropDraft, keepDraft } from "@/components/approvals/answer/drafts";
import { tooLate } from "@/components/approvals/decision/outcome";
import { type Ending, heldAs, type InboxApproval, type Sent, standingOf } from "@/components/approvals/types";
import { isReachable, lookAgain } from "@/components/live/live-state";
import type { Answered } from "@/lib/approvals/answering";
import type { Resolution } from "@/lib/approvals/schema";
import { acts } from "./acts";

type Wires = {
  undoSeconds: number;
  listed: InboxApproval[];
  endings: Ending[];
  say: (words: string) => void;
  /** Something to tell the owner in passing. */
  tell: (words: string) => void;
  onFailure: (approval: InboxApproval) => void;
};

/** How long this page's own word holds against a list that may have been read before it. */
const staleMs = 2500;
const notArrived = "It did not reach the service. Nothing was lost: check the connection and send it again.";

/** Answers under way: shown as given in the same frame, taken back with their words when they did not arrive. */
export function useAnswers({ undoSeconds, listed, endings, say, tell, onFailure }: Wires) {
  const [sent, setSent] = useState<ReadonlyMap<string, Sent>>(new Map());
  const note = (...its: Sent[]) =>
    setSent((all) => new Map([...all, ...its.map((it) => [it.approval._id, it] as const)]));
  const forget = (ids: string[]) => setSent((all) => new Map([...all].filter(([id]) => !ids.includes(id))));

  // What the server says takes the place of what this page said of it.
  const settle = useEffectEvent((listed: InboxApproval[], endings: Ending[]) => {
    const ended = new Map(endings.map(({ id, resolution }) => [id, resolution]));
    const rows = new Map(listed.map((approval) => [approval._id, approval]));
    const settled: (Sent & { state: "done" })[] = [];
    const stale: string[] = [];
    for (const [id, it] of sent) {
      const resolution = ended.get(id) ?? rows.get(id)?.resolution;
      const isHeld = rows.get(id)?.desk.held !== undefined;
      const old = performance.now() - it.at > staleMs;
      if (it.state === "failed" && (resolution || isHeld)) say(`Answered after all: ${it.approval.question}`);
      if ((it.state === "held" || it.state === "failed") && resolution)
        settled.push({ ...now(it.approval), state: "done", resolution, late: resolution.resolvedBy === "api" });
      else if (it.state === "held" && rows.has(id) && !isHeld && old) stale.push(id);
      else if (it.state === "failed" && isHeld) stale.push(id);
      else if (it.state === "undone" && (!isHeld || old)) stale.push(id);
    }
    if (settled.length > 0) note(...settled);
    if (stale.length > 0) forget(stale);
    for (const it of settled) {
      dropDraft(it.approval._id);
      if (it.late) say(tooLate(it.approval, it.resolution));
    }
  });
  useEffect(() => settle(listed, endings), [listed, endings]);

  // What concerns one question goes to the service one after the other: an undo that came before its answer would undo nothing.
  // Where nothing is under way it leaves at once, before this page shows anything of it: whoever asked is waiting.
  const turns = useRef(new Map<string, Promise<void>>());
  const inTurn = (several: InboxApproval[], work: () => Promise<void>) => {
    const before = several.flatMap(({ _id }) => turns.current.get(_id) ?? []);
    const turn = before.length > 0 ? Promise.all(before).then(work) : work();
    for (const { _id } of several) turns.current.set(_id, turn);
    void turn.then(() => {
      for (const { _id } of several) if (turns.current.get(_id) === turn) turns.current.delete(_id);
    });
  };

  // The owner may take one back before the service has said that it has it.
  const takenBack = useRef(new Set<string>());

  const isOpen = (approval: InboxApproval) => standingOf(approval, sent.get(approval._id)).kind === "open";

  /** @returns false where it is answered already, or an answer is under way */
  function answer(approval: InboxApproval, form: FormData): boolean {
    if (!isOpen(approval)) return false;
    takenBack.current.delete(approval._id);
    note(sending(approval, form));
    inTurn([approval], () =>
      call(
        () => acts.send(form),
        (value) => arrived(approval, value),
        (message) => fail(approval, message),
      ),
    );
    return true;
  }

  /** The same answer for several. */
  function answerTogether(several: InboxApproval[], form: FormData): void {
    const words = String(form.get("note") ?? "");
    const refuse = (approval: InboxApproval, message: string) => {
      if (words) keepDraft(approval._id, "note", words);
      fail(approval, message);
    };
    for (const { _id } of several) takenBack.current.delete(_id);
    note(...several.map((approval) => sending(approval, form)));
    const byId = new Map(several.map((approval) => [approval._id, approval]));
    inTurn(several, () =>
      call(
        () => acts.sendTogether(form),
        (outcomes) => {
          for (const outcome of outcomes) {
            const approval = byId.get(outcome.id);
            if (!approval) continue;
            if ("message" in outcome) refuse(approval, outcome.message);
            else arrived(approval, outcome);
          }
        },
        (message) => {
          for (const approval of several) refuse(approval, message);
        },
      ),
    );
  }

  function undo(several: InboxApproval[]): void {
    const before = several.flatMap((approval) => sent.get(approval._id) ?? []);
    // Its words wait with it.
    for (const approval of several) {
      const standing = standingOf(approval, sent.get(approval._id));
      if (standing.kind !== "held") continue;
      const { otherText, note: added } = standing.resolution;
      if (otherText) keepDraft(approval._id, "otherText", otherText);
      if (added) keepDraft(approval._id, "note", added);
      takenBack.current.add(approval._id);
    }
    note(...several.map((approval) => ({ ...now(approval), state: "undone" as const })));
    const restore = () => {
      forget(several.map(({ _id }) => _id));
      note(...before);
    };
    inTurn(several, () =>
      call(
        () => acts.undo(withIds(several)),
        ({ sent: gone }) => {
          const tooLateFor = several.filter(({ _id }) => gone.includes(_id));
          if (tooLateFor.length === 0) return;
          forget(gone);
          for (const id of gone) dropDraft(id);
          tell(`Already sent to ${tooLateFor[0]?.app.name}: it cannot be taken back`);
        },
        (message) => {
          restore();
          tell(`Not taken back: ${message}`);
        },
      ),
    );
  }

  function sendNow(several: InboxApproval[]): void {
    const these = several.flatMap((approval): Sent[] => {
      const standing = standingOf(approval, sent.get(approval._id));
      return standing.kind === "held"
        ? [{ ...now(approval), state: "held", resolution: standing.resolution, leftMs: 0 }]
        : [];
    });
    note(...these);
    inTurn(several, () =>
      call(
        () => acts.sendNow(withIds(several)),
        () => {},
        (message) => tell(`Not sent yet: ${message}`),
      ),
    );
  }

  const sending = (approval: InboxApproval, form: FormData): Sent => ({
    ...now(approval),
    state: "sending",
    resolution: provisional(form),
    leftMs: undoSeconds * 1000,
  });

  function arrived(approval: InboxApproval, { held, won, resolution }: Answered) {
    if (!takenBack.current.has(approval._id)) dropDraft(approval._id);
    if (!held) {
      note({ ...now(approval), state: "done", resolution, late: !won });
      if (!won) say(tooLate(approval, resolution));
      return;
    }
    const it = { ...now(approval), state: "held" as const, leftMs: held.leftMs };
    const kept = { ...it, resolution: heldAs(held.answer, held.commitAt) };
    // The owner may have taken it back before it arrived.
    setSent((all) => (all.get(approval._id)?.state === "undone" ? all : new Map(all).set(approval._id, kept)));
  }

  function fail(approval: InboxApproval, message: string) {
    note({ ...now(approval), state: "failed", message });
    say(`Not answered: ${message}`);
    onFailure(approval);
  }

  return { sent, isOpen, answer, answerTogether, undo, sendNow };
}

const now = (approval: InboxApproval) => ({ approval, at: performance.now() });

type Reply<T> = { ok: true; value?: T } | { ok: false; message: string };

/** Have it done, and the page read again; whatever goes wrong becomes a sentence. */
export async function call<T>(
  act: () => Promise<Reply<T> | undefined>,
  done: (value: T) => void,
  failed: (message: string) => void,
): Promise<void> {
  try {
    const result = await act();
    if (!result) return failed("Sign in again, then send it once more. Your words are kept.");
    if (!result.ok) {
      failed(result.message);
      // It may have changed, or its time be over: what stands there now is read anew.
      return lookAgain();
    }
    done(result.value as T);
    lookAgain();
  } catch {
    failed(notArrived);
    // Only the reply may have been lost: what holds is read.
    void isReachable().then((there) => there && lookAgain());
  }
}

/** A form that names these questions. */
export function withIds(several: Pick<InboxApproval, "_id">[], fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const { _id } of several) form.append("ids", _id);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** The same, with what of each the owner saw. */
export function withSeen(
  several: Pick<InboxApproval, "_id" | "contentHash">[],
  fields: Record<string, string>,
): FormData {
  const form = withIds(several, fields);
  for (const { contentHash } of several) form.append("seen", contentHash);
  return form;
}

/** What the answer will be once the service has it; its time is the browser's guess until then. */
function provisional(form: FormData): Resolution {
  const text = (name: string) => String(form.get(name) ?? "");
  return {
    ...(form.has("optionId")
      ? { kind: "option" as const, optionId: text("optionId") }
      : { kind: "other" as const, otherText: text("otherText") }),
    ...(text("note").trim() && { note: text("note") }),
    resolvedBy: "owner",
    resolvedAt: Date.now(),
  };
}
