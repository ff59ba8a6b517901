/*
 * One item: what can happen to it, what counts in which phase, and what has to be said or kept for it.
 */

/** What this page is doing, or has done, about one item. `at`: since when; `request`: the number of the last about it. */
export type ItemState<Item, Outcome> = {
  item: Item;
  at: number;
  request: number;
  /** Until when what was done stays in view. */
  leaveAt?: number | undefined;
} /** It can be taken back for `leftMs` after `at`; never where that is 0 while it is being sent. */ & (
  | { phase: "sending" | "held"; outcome: Outcome; leftMs: number }
  | { phase: "undoing"; before: ItemState<Item, Outcome> | undefined }
  /** Reading: it is open before the owner, who has done nothing about it. */
  | { phase: "undone" | "reading" }
  | { phase: "done"; outcome: Outcome }
  /** Something else holds. `sent`: the owner did something about it, which changed nothing; `read`: they have seen that. */
  | { phase: "beaten"; outcome: Outcome; sent: boolean; read: boolean }
  | { phase: "failed"; message: string }
);
/** An item of which this page knows no more than the list says is idle. */
export type Phase = "idle" | ItemState<unknown, unknown>["phase"];

/**
 * Something done with an item as it was shown, and what it is expected to lead to.
 * `about`: requests about the same take turns; its own id unless told.
 */
export type ItemRequest<Item, Outcome> = { id: string; item: Item; outcome: Outcome; about?: readonly string[] };
/** In `about`: takes turns with every other request. */
export const everything = "everything";

/** What to tell the owner. "after all": what was said to have failed was done. */
export type News = "held" | "failed" | "beaten" | "after all" | "undone" | "too late" | "not undone" | "not committed";

/** An item that there is news of, and what goes for it where that is known. */
export type Subject<Item, Outcome> = { item: Item; outcome?: Outcome };

export type Notice<Item, Outcome> =
  | { type: "tell"; news: News; about: readonly Subject<Item, Outcome>[]; message?: string }
  /** The owner's words go back to where they were typed, or are needed there no more. */
  | { type: "keepWords"; id: string; outcome: Outcome }
  | { type: "dropWords"; id: string }
  /** What was done with it has stayed in view for long enough. */
  | { type: "goOn"; item: Item };

/** What can happen to one item. "missing": the list does not have it. */
export type ItemEvent<Item, Outcome> = { now: number } & (
  | { type: "send"; given: ItemRequest<Item, Outcome>; request: number; leftMs: number; stayMs: number }
  | { type: "undo" | "commit"; given: ItemRequest<Item, Outcome>; request: number }
  /** It is before the owner, and they may act on it; or it no longer is. */
  | { type: "shown"; item: Item }
  | { type: "left" | "seen" | "stayed" }
  /** An earlier page's act changed nothing, which the owner has not seen. */
  | { type: "missed"; item: Item; outcome: Outcome }
  | { type: "held"; outcome: Outcome; leftMs: number }
  | { type: "done" | "beaten" | "ended" | "overtaken"; outcome: Outcome }
  | { type: "refused"; message: string }
  | { type: "undone" | "too late" | "not undone" | "listed open" | "listed held" | "missing" }
);

/** What counts in which phase, and what it leads to. Where nothing stands, an item stays as it is. */
export const table: Record<ItemEvent<unknown, unknown>["type"], Partial<Record<Phase, Phase>>> = {
  send: { idle: "sending", reading: "sending", undoing: "sending", undone: "sending", failed: "sending" },
  // An idle one may be held since an earlier page, and so may one whose reply was lost.
  undo: { idle: "undoing", reading: "undoing", sending: "undoing", held: "undoing", failed: "undoing" },
  commit: { idle: "held", reading: "held", sending: "held", held: "held", failed: "held" },
  // What is being taken back stays so: the reply only says what it would go back to.
  held: { sending: "held", held: "held", undoing: "undoing" },
  refused: { sending: "failed", held: "failed", undoing: "undoing" },
  done: { sending: "done", held: "done", undoing: "done" },
  beaten: { sending: "beaten", held: "beaten", undoing: "beaten" },
  undone: { undoing: "undone" },
  // What an earlier page sent the list knows better.
  "too late": { undoing: "done", done: "done" },
  // To whatever it was before.
  "not undone": { undoing: "held" },
  // What ends while it is being read was not the owner's doing on this page, and stays in view.
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

/** How long this page's own word holds against a list that may have been read before it. */
export const staleMs = 2500;

/** What an item comes to; `local` itself where it stays as it is. */
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
  // What can never be taken back leaves at once.
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
    // The reply to what is being sent is still to come.
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
      // Told meanwhile to wait no longer, it does not.
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
      // The list shows what was expected of it, or was read long enough after this page's own word.
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

/** What has to be told and kept about a transition. */
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
      // Typed words stay where they were typed.
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
