/* Per-item state machine: events, transitions and effects. */

/**
 * This page's latest action on one item. `at`: since when; `request`: the number of its latest
 * request.
 */
export type ItemState<Item, Outcome> = {
  item: Item;
  at: number;
  request: number;
  /** The time until which the result stays in view. */
  leaveAt?: number | undefined;
} /** It can be taken back for `leftMs` after `at`; never where that is 0 while it is being sent. */ & (
  | { phase: "sending" | "held"; outcome: Outcome; leftMs: number }
  | { phase: "undoing"; before: ItemState<Item, Outcome> | undefined }
  /** Reading: the owner has it open and has not acted on it. */
  | { phase: "undone" | "reading" }
  | { phase: "done"; outcome: Outcome }
  /**
   * Another outcome was recorded. `sent`: the owner's action had no effect; `read`: they have
   * seen that.
   */
  | { phase: "beaten"; outcome: Outcome; sent: boolean; read: boolean }
  | { phase: "failed"; message: string }
);
/** Idle: this page knows no more about the item than the list says. */
export type Phase = "idle" | ItemState<unknown, unknown>["phase"];

/**
 * An action on an item as it was displayed, and its expected outcome.
 * `about`: requests with a common subject run one after another; by default the item's own ID.
 */
export type ItemRequest<Item, Outcome> = { id: string; item: Item; outcome: Outcome; about?: readonly string[] };
/** In `about`: runs one after another with every other request. */
export const everything = "everything";

/** Notices for the owner. "after all": an answer reported as failed was received. */
export type News = "held" | "failed" | "beaten" | "after all" | "undone" | "too late" | "not undone" | "not committed";

/** The item of a notice, and its outcome where known. */
export type Subject<Item, Outcome> = { item: Item; outcome?: Outcome };

export type Notice<Item, Outcome> =
  | { type: "tell"; news: News; about: readonly Subject<Item, Outcome>[]; message?: string }
  /** Restores the owner's words to their field, or discards them. */
  | { type: "keepWords"; id: string; outcome: Outcome }
  | { type: "dropWords"; id: string }
  /** The result has been in view for long enough. */
  | { type: "goOn"; item: Item };

/** Events for one item. "missing": the list does not contain it. */
export type ItemEvent<Item, Outcome> = { now: number } & (
  | { type: "send"; given: ItemRequest<Item, Outcome>; request: number; leftMs: number; stayMs: number }
  | { type: "undo" | "commit"; given: ItemRequest<Item, Outcome>; request: number }
  /** It is open and can be acted on, or it no longer is. */
  | { type: "shown"; item: Item }
  | { type: "left" | "seen" | "stayed" }
  /** An earlier page's action had no effect, and the owner has not seen that. */
  | { type: "missed"; item: Item; outcome: Outcome }
  | { type: "held"; outcome: Outcome; leftMs: number }
  | { type: "done" | "beaten" | "ended" | "overtaken"; outcome: Outcome }
  | { type: "refused"; message: string }
  | { type: "undone" | "too late" | "not undone" | "listed open" | "listed held" | "missing" }
);

/** The next phase for each event and phase. No entry: the item stays as it is. */
export const table: Record<ItemEvent<unknown, unknown>["type"], Partial<Record<Phase, Phase>>> = {
  send: { idle: "sending", reading: "sending", undoing: "sending", undone: "sending", failed: "sending" },
  // An idle item may be held since an earlier page, as may one whose reply was lost.
  undo: { idle: "undoing", reading: "undoing", sending: "undoing", held: "undoing", failed: "undoing" },
  commit: { idle: "held", reading: "held", sending: "held", held: "held", failed: "held" },
  // An undo in progress continues: the reply only updates the phase to restore.
  held: { sending: "held", held: "held", undoing: "undoing" },
  refused: { sending: "failed", held: "failed", undoing: "undoing" },
  done: { sending: "done", held: "done", undoing: "done" },
  beaten: { sending: "beaten", held: "beaten", undoing: "beaten" },
  undone: { undoing: "undone" },
  // The list knows better about an answer from an earlier page.
  "too late": { undoing: "done", done: "done" },
  // To its phase before the undo.
  "not undone": { undoing: "held" },
  // An item that ends while open was not ended by this page's owner, and stays in view.
  ended: { reading: "beaten", held: "done", failed: "done", undone: "idle" },
  overtaken: { reading: "beaten", held: "beaten", failed: "beaten", undone: "idle" },
  "listed open": { held: "idle", undone: "idle" },
  "listed held": { failed: "idle", undone: "idle" },
  missing: { undone: "idle" },
  shown: { idle: "reading", beaten: "beaten" },
  left: { reading: "idle" },
  seen: { beaten: "beaten" },
  missed: { idle: "beaten" },
  stayed: { sending: "sending", held: "held", done: "done" },
};

/** How long this page's state outweighs a list that may have been read before it. */
export const staleMs = 2500;

/** The item's next state; `local` itself if it stays as it is. */
export function transition<Item, Outcome>(
  local: ItemState<Item, Outcome> | undefined,
  it: ItemEvent<Item, Outcome>,
): ItemState<Item, Outcome> | undefined {
  const { now: at } = it;
  if (it.type === "shown" && !local) return { item: it.item, at, request: 0, phase: "reading" };
  if (it.type === "missed" && !local) {
    const { item, outcome } = it;
    return { item, at, request: 0, phase: "beaten", outcome, sent: true, read: false };
  }
  const phase = table[it.type][local?.phase ?? "idle"];
  // An answer without an undo period is final immediately.
  const isFinal = local?.phase === "sending" && local.leftMs === 0;
  if (!phase || (isFinal && (it.type === "undo" || it.type === "commit"))) return local;
  if (it.type === "send" || it.type === "undo" || it.type === "commit") {
    const { item, outcome } = it.given;
    const about = { item, at, request: it.request };
    if (it.type === "undo") return { ...about, phase: "undoing", before: local };
    if (it.type === "send")
      return {
        ...about,
        phase: "sending",
        outcome,
        leftMs: it.leftMs,
        ...(it.stayMs > 0 && { leaveAt: at + it.stayMs }),
      };
    // The reply to the send request is still to come.
    return {
      ...about,
      ...staying(local),
      phase: "held",
      outcome,
      leftMs: 0,
      ...(local?.phase === "sending" && { request: local.request }),
    };
  }
  if (!local) return local;
  const about = { item: local.item, at, request: local.request };
  const stays = staying(local);
  const beaten = (outcome: Outcome) => ({
    ...about,
    phase: "beaten" as const,
    outcome,
    sent: local.phase !== "reading",
    read: local.phase === "reading",
  });
  switch (it.type) {
    case "held":
    case "refused":
      if (local.phase === "undoing") return { ...local, before: local.before && transition(local.before, it) };
      if (it.type === "refused") return { ...about, phase: "failed", message: it.message };
      // After a send-now the answer is no longer held.
      return { ...about, ...stays, phase: "held", outcome: it.outcome, leftMs: local.phase === "held" ? 0 : it.leftMs };
    case "done":
      return { ...about, ...stays, phase: "done", outcome: it.outcome };
    case "beaten":
      return beaten(it.outcome);
    case "undone":
      return { ...about, phase: "undone" };
    case "not undone":
      return local.phase === "undoing" ? local.before : local;
    case "ended":
    case "overtaken":
      if (phase === "idle") return undefined;
      return phase === "done" ? { ...about, ...stays, phase, outcome: it.outcome } : beaten(it.outcome);
    case "listed open":
    case "listed held": {
      // The list agrees, or was read long enough after this page's action.
      const agrees = local.phase === "failed" || (local.phase === "undone" && it.type === "listed open");
      return agrees || at - local.at > staleMs ? undefined : local;
    }
    case "shown":
    case "seen":
      return local.phase === "beaten" && !local.read ? { ...local, read: true } : local;
    case "stayed":
      return local.leaveAt === undefined || at < local.leaveAt ? local : { ...local, leaveAt: undefined };
    case "missed":
      return local;
    case "too late": {
      const was = local.phase === "undoing" ? local.before : local;
      return was && "outcome" in was ? { ...about, phase: "done", outcome: was.outcome } : undefined;
    }
    case "left":
    case "missing":
      return undefined;
  }
}

const staying = (local: { leaveAt?: number | undefined } | undefined) =>
  local?.leaveAt !== undefined && { leaveAt: local.leaveAt };

/** The notices and draft changes that a transition causes. */
export function effectsOf<Item, Outcome>(
  id: string,
  before: ItemState<Item, Outcome> | undefined,
  it: ItemEvent<Item, Outcome>,
): Notice<Item, Outcome>[] {
  if (it.type === "undo") return [{ type: "keepWords", id, outcome: it.given.outcome }];
  if (!before || before.phase === "undone") return [];
  if (it.type === "stayed")
    return before.leaveAt !== undefined && it.now >= before.leaveAt ? [{ type: "goOn", item: before.item }] : [];
  const { item, phase } = before;
  const drop: Notice<Item, Outcome> = { type: "dropWords", id };
  const tell = (news: News, known: { outcome?: Outcome } = {}, said: { message?: string } = {}) => ({
    type: "tell" as const,
    news,
    about: [{ item, ...known }],
    ...said,
  });
  switch (it.type) {
    case "held":
      return phase === "undoing" ? [] : [drop, tell("held", { outcome: it.outcome })];
    case "refused":
      if (phase !== "sending" && phase !== "held") return [];
      return [{ type: "keepWords", id, outcome: before.outcome }, tell("failed", {}, { message: it.message })];
    case "done":
      return phase === "undoing" ? [] : [drop];
    case "beaten":
      return [...(phase === "undoing" ? [] : [drop]), tell("beaten", { outcome: it.outcome })];
    case "ended":
      // Typed words stay in their field.
      if (phase === "reading") return [tell("beaten", { outcome: it.outcome })];
      return [drop, ...(phase === "failed" ? [tell("after all")] : [])];
    case "overtaken":
      return [...(phase === "reading" ? [] : [drop]), tell("beaten", { outcome: it.outcome })];
    case "undone":
      return phase !== "undoing"
        ? []
        : [tell("undone", before.before && "outcome" in before.before ? { outcome: before.before.outcome } : {})];
    case "too late":
      return [drop];
    case "listed held":
      return [tell("after all")];
    default:
      return [];
  }
}
