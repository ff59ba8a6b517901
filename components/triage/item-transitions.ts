// The state machine of one item: for each event, the allowed phases, the next state and notices.

import { dropWords, goOn, tell, tellOutcome } from "./effect-builders";
import {
  type ItemEvent,
  type ItemEventType,
  type ItemState,
  type Notice,
  on,
  type Phase,
  type Transition,
} from "./item-state";
import { hasStayed, leave, staying } from "./result-display-time";

/** How long this page's state overrides a list that may be older, in milliseconds. */
export const staleMs = 2500;

// Whether a sent answer is already final, because it has no undo period.
const isFinal = (local: ItemState<unknown, unknown> | undefined) => local?.phase === "sending" && local.leftMs === 0;

/** The fields that every next state keeps. */
const same = <Item, Outcome>({ item, request }: ItemState<Item, Outcome>, at: number) => ({ item, at, request });

const beaten = <Item, Outcome>(local: ItemState<Item, Outcome>, it: { now: number; outcome: Outcome }) => {
  const isReading = local.phase === "reading";
  return { ...same(local, it.now), phase: "beaten" as const, outcome: it.outcome, sent: !isReading, read: isReading };
};

const done = <Item, Outcome>(local: ItemState<Item, Outcome>, it: { now: number; outcome: Outcome }) => ({
  ...same(local, it.now),
  ...staying(local),
  phase: "done" as const,
  outcome: it.outcome,
});

/** A reply that arrives during an undo only updates the state that a failed undo restores. */
const duringUndo = <Item, Outcome>(
  local: ItemState<Item, Outcome> & { phase: "undoing" },
  it: ItemEvent<Item, Outcome>,
) => ({ ...local, before: local.before && transition(local.before, it) });

const read = <Item, Outcome>(local: ItemState<Item, Outcome> & { phase: "beaten" }) =>
  local.read ? local : { ...local, read: true };

// Whether a list read now is certain to include this page's action.
const isSettled = (local: { at: number }, now: number) => now - local.at > staleMs;

/** In a phase that a transition does not list, the event leaves the item as it is. */
export const transitions = {
  send: on("send", {
    phases: { idle: "sending", reading: "sending", undoing: "sending", undone: "sending", failed: "sending" },
    next: (_, { now: at, given: { item, outcome }, request, leftMs, stayMs }) => ({
      item,
      at,
      request,
      phase: "sending",
      outcome,
      leftMs,
      ...(stayMs > 0 && { leaveAt: at + stayMs }),
    }),
  }),

  // In the idle phase, the server may hold an answer that an earlier page sent. In the failed
  // phase, it may hold an answer whose reply was lost.
  undo: on("undo", {
    phases: { idle: "undoing", reading: "undoing", sending: "undoing", held: "undoing", failed: "undoing" },
    next: (local, { now: at, given: { item }, request }) =>
      isFinal(local) ? local : { item, at, request, phase: "undoing", before: local },
    notices: (_, { given: { outcome } }, id) => [{ type: "keepWords", id, outcome }],
  }),

  commit: on("commit", {
    phases: { idle: "held", reading: "held", sending: "held", held: "held", failed: "held" },
    next: (local, { now: at, given: { item, outcome }, request }) =>
      isFinal(local)
        ? local
        : {
            ...staying(local),
            item,
            at,
            // Keeps the number, because the reply to the send request has not arrived yet.
            request: local?.phase === "sending" ? local.request : request,
            phase: "held",
            outcome,
            leftMs: 0,
          },
  }),

  held: on("held", {
    phases: { sending: "held", held: "held", undoing: "undoing" },
    next(local, it) {
      if (local.phase === "undoing") return duringUndo(local, it);
      // Once the owner chose to send the answer now, it can no longer be undone.
      const leftMs = local.phase === "held" ? 0 : it.leftMs;
      return { ...same(local, it.now), ...staying(local), phase: "held", outcome: it.outcome, leftMs };
    },
    notices: (local, { outcome }, id) =>
      local.phase === "undoing" ? [] : [dropWords(id), tellOutcome("held", local, outcome)],
  }),

  refused: on("refused", {
    phases: { sending: "failed", held: "failed", undoing: "undoing" },
    next: (local, it) =>
      local.phase === "undoing"
        ? duringUndo(local, it)
        : { ...same(local, it.now), phase: "failed", message: it.message },
    notices: (local, { message }, id) =>
      local.phase === "undoing"
        ? []
        : [
            { type: "keepWords", id, outcome: local.outcome },
            { ...tell("failed", local), message },
          ],
  }),

  done: on("done", {
    phases: { sending: "done", held: "done", undoing: "done" },
    next: done,
    notices: (local, _, id) => (local.phase === "undoing" ? [] : [dropWords(id)]),
  }),

  beaten: on("beaten", {
    phases: { sending: "beaten", held: "beaten", undoing: "beaten" },
    next: beaten,
    notices: (local, { outcome }, id) => [
      ...(local.phase === "undoing" ? [] : [dropWords(id)]),
      tellOutcome("beaten", local, outcome),
    ],
  }),

  undone: on("undone", {
    phases: { undoing: "undone" },
    next: (local, { now }) => ({ ...same(local, now), phase: "undone" }),
    notices: (local) => [
      local.before && "outcome" in local.before
        ? tellOutcome("undone", local, local.before.outcome)
        : tell("undone", local),
    ],
  }),

  // The undo came too late, so the answer stands. For an answer from an earlier page, this page
  // must get the outcome from the list.
  "too late": on("too late", {
    phases: { undoing: "done", done: "done" },
    next(local, { now }) {
      const was = local.phase === "undoing" ? local.before : local;
      return was && "outcome" in was ? { ...same(local, now), phase: "done", outcome: was.outcome } : undefined;
    },
    notices: (_, __, id) => [dropWords(id)],
  }),

  // Restores the state before the undo. The phase may also be another one than "held".
  "not undone": on("not undone", { phases: { undoing: "held" }, next: (local) => local.before }),

  // If the owner is reading the item, its outcome stays in view.
  ended: on("ended", {
    phases: { reading: "beaten", held: "done", failed: "done", undone: "idle" },
    next: (local, it) =>
      local.phase === "undone" ? undefined : local.phase === "reading" ? beaten(local, it) : done(local, it),
    notices(local, { outcome }, id) {
      if (local.phase === "undone") return [];
      // The draft stays in its field.
      if (local.phase === "reading") return [tellOutcome("beaten", local, outcome)];
      return [dropWords(id), ...(local.phase === "failed" ? [tell("after all", local)] : [])];
    },
  }),

  overtaken: on("overtaken", {
    phases: { reading: "beaten", held: "beaten", failed: "beaten", undone: "idle" },
    next: (local, it) => (local.phase === "undone" ? undefined : beaten(local, it)),
    notices(local, { outcome }, id) {
      if (local.phase === "undone") return [];
      return [...(local.phase === "reading" ? [] : [dropWords(id)]), tellOutcome("beaten", local, outcome)];
    },
  }),

  "listed open": on("listed open", {
    phases: { held: "idle", undone: "idle" },
    next: (local, { now }) => (local.phase === "undone" || isSettled(local, now) ? undefined : local),
  }),

  "listed held": on("listed held", {
    phases: { failed: "idle", undone: "idle" },
    next: (local, { now }) => (local.phase === "failed" || isSettled(local, now) ? undefined : local),
    notices: (local) => (local.phase === "failed" ? [tell("after all", local)] : []),
  }),

  missing: on("missing", { phases: { undone: "idle" }, next: () => undefined }),

  shown: on("shown", {
    phases: { idle: "reading", beaten: "beaten" },
    next: (local, { now: at, item }) => (local ? read(local) : { item, at, request: 0, phase: "reading" }),
  }),

  left: on("left", { phases: { reading: "idle" }, next: () => undefined }),

  // The owner moved on before the result's display time ended.
  seen: on("seen", {
    phases: { beaten: "beaten", sending: "sending", held: "held", done: "done" },
    next: (local) => (local.phase === "beaten" ? read(local) : leave(local)),
    notices: (local) => (local.leaveAt === undefined ? [] : [goOn(local)]),
  }),

  missed: on("missed", {
    phases: { idle: "beaten" },
    next: (_, { now: at, item, outcome }) => ({
      item,
      at,
      request: 0,
      phase: "beaten",
      outcome,
      sent: true,
      read: false,
    }),
  }),

  stayed: on("stayed", {
    phases: { sending: "sending", held: "held", done: "done" },
    next: (local, { now }) => (hasStayed(local, now) ? leave(local) : local),
    notices: (local, { now }) => (hasStayed(local, now) ? [goOn(local)] : []),
  }),
} satisfies { [Type in ItemEventType]: unknown };

/** The transition for this event, if the item's phase allows one. */
function allowedFor<Item, Outcome>(local: ItemState<Item, Outcome> | undefined, it: ItemEvent<Item, Outcome>) {
  // TypeScript can't infer that the transition matches the event's type and the phase.
  const found = transitions[it.type] as unknown as Transition<ItemEventType, Phase>;
  return (local?.phase ?? "idle") in found.phases ? found : undefined;
}

/** The item's next state, or `local` itself if nothing changes. */
export function transition<Item, Outcome>(
  local: ItemState<Item, Outcome> | undefined,
  it: ItemEvent<Item, Outcome>,
): ItemState<Item, Outcome> | undefined {
  const allowed = allowedFor(local, it);
  return allowed ? allowed.next(local, it) : local;
}

/** The notices and draft changes that result from an event. */
export function effectsOf<Item, Outcome>(
  id: string,
  before: ItemState<Item, Outcome> | undefined,
  it: ItemEvent<Item, Outcome>,
): Notice<Item, Outcome>[] {
  return allowedFor(before, it)?.notices?.(before, it, id) ?? [];
}
