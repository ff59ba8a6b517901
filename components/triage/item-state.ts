/* The states of one list item, the events that change it, and the type of a transition. */

/**
 * This page's latest action on one item. `at` is the time of the action, and `request` the number
 * of its latest request.
 */
export type ItemState<Item, Outcome> = {
  item: Item;
  at: number;
  request: number;
  /** When the result disappears. */
  leaveAt?: number | undefined;
} /** Undo is possible until `leftMs` after `at`. With 0, a sent answer can't be undone. */ & (
  | { phase: "sending" | "held"; outcome: Outcome; leftMs: number }
  | { phase: "undoing"; before: ItemState<Item, Outcome> | undefined }
  /** Reading: the item is open, and the owner has not acted on it here. */
  | { phase: "undone" | "reading" }
  | { phase: "done"; outcome: Outcome }
  /**
   * Another outcome was recorded. `sent` means that the owner's own action had no effect. `read`
   * means that the owner has seen this.
   */
  | { phase: "beaten"; outcome: Outcome; sent: boolean; read: boolean }
  | { phase: "failed"; message: string }
);
/** Idle: this page knows only what the list contains. */
export type Phase = "idle" | ItemState<unknown, unknown>["phase"];

/**
 * An action on an item as it was displayed, with its expected outcome. Requests with a common
 * subject in `about` run one after another. The default subject is the item's ID.
 */
export type ItemRequest<Item, Outcome> = { id: string; item: Item; outcome: Outcome; about?: readonly string[] };
/** A request with this subject runs after all earlier requests and before all later ones. */
export const everything = "everything";

/** Notices for the owner. "after all" means that an answer reported as failed was received. */
export type News = "held" | "failed" | "beaten" | "after all" | "undone" | "too late" | "not undone" | "not committed";

/** The item that a notice is about, and its outcome if known. */
export type Subject<Item, Outcome> = { item: Item; outcome?: Outcome };

export type Notice<Item, Outcome> =
  | { type: "tell"; news: News; about: readonly Subject<Item, Outcome>[]; message?: string }
  /** Restores the owner's draft to its field, or discards it. */
  | { type: "keepWords"; id: string; outcome: Outcome }
  | { type: "dropWords"; id: string }
  /** The result has been displayed for its full time. */
  | { type: "goOn"; item: Item };

/** Events for one item. "missing" means that the list no longer contains the item. */
export type ItemEvent<Item, Outcome> = { now: number } & (
  | { type: "send"; given: ItemRequest<Item, Outcome>; request: number; leftMs: number; stayMs: number }
  | { type: "undo" | "commit"; given: ItemRequest<Item, Outcome>; request: number }
  /**
   * `shown`: the item is open and can be acted on. `left`: it is no longer open, or can no longer
   * be acted on.
   */
  | { type: "shown"; item: Item }
  | { type: "left" | "seen" | "stayed" }
  /** An action on an earlier page had no effect, and the owner has not seen that yet. */
  | { type: "missed"; item: Item; outcome: Outcome }
  | { type: "held"; outcome: Outcome; leftMs: number }
  | { type: "done" | "beaten" | "ended" | "overtaken"; outcome: Outcome }
  | { type: "refused"; message: string }
  | { type: "undone" | "too late" | "not undone" | "listed open" | "listed held" | "missing" }
);

export type ItemEventType = ItemEvent<unknown, unknown>["type"];
type EventOf<Item, Outcome, Type> = ItemEvent<Item, Outcome> & { type: Type };
type StateIn<Item, Outcome, In> = In extends "idle" ? undefined : ItemState<Item, Outcome> & { phase: In };

/**
 * `phases` maps each phase in which the event is allowed to the next phase. In other phases, `next`
 * and `notices` are not called.
 */
export type Transition<Type, In extends Phase> = {
  phases: Readonly<Record<In, Phase>>;
  /** The next state, or the same object if nothing changes. */
  next: <Item, Outcome>(
    local: StateIn<Item, Outcome, In>,
    it: EventOf<Item, Outcome, Type>,
  ) => ItemState<Item, Outcome> | undefined;
  notices?: <Item, Outcome>(
    local: StateIn<Item, Outcome, In>,
    it: EventOf<Item, Outcome, Type>,
    id: string,
  ) => Notice<Item, Outcome>[];
};

/** Defines a transition, with the types of its event and of the states in its phases. */
export const on = <const Type extends ItemEventType, In extends Phase>(_: Type, transition: Transition<Type, In>) =>
  transition;
