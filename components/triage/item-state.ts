/* The states of one list item, the events that change it, and the form of a transition. */

/**
 * This page's latest action on one item. `at`: since when; `request`: the number of its latest
 * request.
 */
export type ItemState<Item, Outcome> = {
  item: Item;
  at: number;
  request: number;
  /** Until when the result stays in view. */
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

export type ItemEventType = ItemEvent<unknown, unknown>["type"];
type EventOf<Item, Outcome, Type> = ItemEvent<Item, Outcome> & { type: Type };
type StateIn<Item, Outcome, In> = In extends "idle" ? undefined : ItemState<Item, Outcome> & { phase: In };

/** `next` and `notices` are called only in `phases`: each leads to the phase that it names. */
export type Transition<Type, In extends Phase> = {
  phases: Readonly<Record<In, Phase>>;
  /** The next state; the same object if the item stays as it is. */
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

/** A transition, with the type of its event and of the states in its phases. */
export const on = <const Type extends ItemEventType, In extends Phase>(_: Type, transition: Transition<Type, In>) =>
  transition;
