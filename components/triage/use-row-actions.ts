"use client";
import { useRef } from "react";
import type { ActionResult } from "@/lib/web/action-result";
import { type FailureMessages, sendAndRefresh } from "./send-action-and-refresh";
import type { Effect, Request } from "./triage-state-machine";
import { useMachine } from "./use-triage-state-machine";

/** An owner's action on list rows, other than answering. */
export type RowAction<Row, Step> = {
  /** The action's subjects. Actions with a common subject run sequentially. */
  about: readonly string[];
  gone: readonly Row[];
  /** Sends the action. Resolves to the step that undoes the action, if there is one. */
  send: () => Promise<ActionResult<Step | undefined> | undefined>;
};

type RowActionsOptions<Act, Step> = {
  /** Shows the action as done or undone. */
  show: (act: Act, done: boolean) => void;
  /** Records that the server has confirmed the action. */
  save: (act: Act) => void;
  sendBack: (step: Step) => Promise<ActionResult<unknown> | undefined>;
  told: {
    done: (act: Act, step: Step, undo: () => void) => void;
    undone: (act: Act, step: Step) => void;
    /** Reports why the action failed. `again` retries it. */
    failed: (act: Act, message: string, again: () => void) => void;
    notUndone: (act: Act, message: string, again: () => void) => void;
  };
  reasons: FailureMessages;
};

/** The maximum number of actions that can be undone one after another. */
const maxSteps = 50;

/**
 * Runs the owner's actions on rows with the triage state machine, whose items are the actions. An
 * action appears as done immediately, and is held while it can be undone.
 */
export function useRowActions<Row, Step, Act extends RowAction<Row, Step>>({
  show,
  save,
  sendBack,
  told,
  reasons,
}: RowActionsOptions<Act, Step>) {
  const count = useRef(0);
  const { state, now, dispatch } = useMachine<Act, Step | undefined>((effect) => {
    if (effect.type === "request") request(effect.request);
    if (effect.type === "tell") tell(effect);
  });

  function request({ number, kind, items: [given] }: Request<Act, Step | undefined>) {
    if (!given) return;
    const failed = (message: string) => dispatch({ type: "failed", request: number, message });
    const undone = () => dispatch({ type: "undone", request: number, late: [] });
    if (kind === "send") {
      const done = (outcome: Step | undefined) => {
        const reply = { type: "held" as const, outcome, leftMs: Number.POSITIVE_INFINITY };
        dispatch({ type: "replied", request: number, replies: new Map([[given.id, reply]]) });
      };
      return void sendAndRefresh(given.item.send, done, failed, reasons);
    }
    const local = now().items.get(given.id);
    const step = local?.phase === "undoing" && local.before?.phase === "held" ? local.before.outcome : undefined;
    // The action failed or changed nothing, so there is nothing to undo.
    if (!step) return undone();
    void sendAndRefresh(() => sendBack(step), undone, failed, reasons);
  }

  function tell({ news, about, message = "" }: Extract<Effect<Act, Step | undefined>, { type: "tell" }>) {
    for (const { item, outcome } of about) {
      if (news === "held") save(item);
      if (news === "held" && outcome) told.done(item, outcome, () => undo(item));
      if (news === "undone" && outcome) told.undone(item, outcome);
      if (news === "failed") {
        show(item, false);
        told.failed(item, message, () => act(item));
      }
      if (news === "not undone") {
        show(item, true);
        save(item);
        told.notUndone(item, message, () => undo(item));
      }
    }
    const held = [...now().items].filter(([, it]) => it.phase === "held" && it.outcome);
    const over = [...now().items].filter(([, it]) => isOver(it));
    dispatch({ type: "forget", ids: [...over, ...held.slice(0, -maxSteps)].map(([id]) => id) });
  }

  function act(item: Act) {
    show(item, true);
    count.current++;
    const given = { id: String(count.current), item, outcome: undefined, about: item.about };
    dispatch({ type: "send", items: [given], leftMs: Number.POSITIVE_INFINITY });
  }

  /** Undoes this action if that is still possible. */
  function undo(item: Act) {
    const [id] = [...now().items].find(([, it]) => it.item === item && canUndo(it)) ?? [];
    if (id === undefined) return;
    show(item, false);
    dispatch({ type: "undo", items: [{ id, item, outcome: undefined, about: item.about }] });
  }

  /**
   * Returns the actions that can be undone, oldest first. `step` undoes a completed action. Pending
   * actions have no step yet.
   */
  const steps = (items: typeof state.items) =>
    [...items].flatMap(([id, it]) => {
      if (!canUndo(it)) return [];
      return [{ key: Number(id), act: it.item, step: it.phase === "held" ? it.outcome : undefined }];
    });
  return { act, undo, steps: steps(state.items), stepsNow: () => steps(now().items) };
}

type ActionPhase = { phase: string; outcome?: unknown };
const canUndo = (it: ActionPhase) => it.phase === "sending" || (it.phase === "held" && it.outcome !== undefined);
/** Whether the action can no longer be undone. */
const isOver = (it: ActionPhase) =>
  it.phase === "undone" || it.phase === "failed" || (it.phase === "held" && it.outcome === undefined);
