/*
 * Shows the owner's actions on list items at once, although their requests take time, can fail, and
 * can be undone. This pure state machine orders the requests, and returns side effects. Invariant:
 * an item has one request at a time, in the owner's order, and no request is resent automatically.
 */
import { everything, type ItemEvent, type ItemRequest, type ItemState, type News, type Notice } from "./item-state";
import { effectsOf, transition } from "./item-transitions";

/**
 * A request to the server. `waits` means that an earlier request with a common subject has no reply
 * yet.
 */
export type Request<Item, Outcome> = {
  number: number;
  waits: boolean;
  items: readonly ItemRequest<Item, Outcome>[];
  kind: "send" | "undo" | "commit";
};

/** The server's reply for one item. */
export type Reply<Outcome> =
  | { type: "held"; outcome: Outcome; leftMs: number }
  | { type: "done" | "beaten"; outcome: Outcome }
  | { type: "refused"; message: string };

/** An item's state in a list. "missing" means that the list does not contain it. */
export type Listed<Outcome> =
  | { type: "listed open" | "listed held" | "missing" }
  | { type: "ended" | "overtaken"; outcome: Outcome };

export type Triage<Item, Outcome> = {
  items: ReadonlyMap<string, ItemState<Item, Outcome>>;
  /** The running and waiting requests, oldest first. */
  requests: readonly Request<Item, Outcome>[];
  /** The number of requests so far. */
  count: number;
};

export type TriageEvent<Item, Outcome> = {
  now: number;
} /** Undo is possible for `leftMs`. After `stayMs`, the next item opens. */ & (
  | { type: "send"; items: readonly ItemRequest<Item, Outcome>[]; leftMs: number; stayMs?: number }
  /**
   * `undo` undoes held answers, and `commit` sends them now. The answers may be from an earlier
   * page.
   */
  | { type: "undo" | "commit"; items: readonly ItemRequest<Item, Outcome>[] }
  /** The reply to a send request, for each item. */
  | { type: "replied"; request: number; replies: ReadonlyMap<string, Reply<Outcome>> }
  /** `late` lists the items whose answers were already final. */
  | { type: "undone"; request: number; late: readonly string[] }
  | { type: "committed"; request: number }
  /** The whole request was rejected, or its outcome is unknown. */
  | { type: "failed"; request: number; message: string }
  /** The open item, if it can be acted on. All other items count as closed. */
  | { type: "shown"; id?: string | undefined; item?: Item | undefined }
  | { type: "seen"; ids: readonly string[] }
  | { type: "missed"; items: readonly ItemRequest<Item, Outcome>[] }
  /** Time has passed. */
  | { type: "tick" }
  | { type: "listed"; list: ReadonlyMap<string, Listed<Outcome>> }
  | { type: "forget"; ids: readonly string[] }
  /**
   * The page is about to unload. Waiting requests are sent now, because otherwise they would be
   * lost.
   */
  | { type: "leave" }
);

export type Effect<Item, Outcome> = Notice<Item, Outcome> | { type: "request"; request: Request<Item, Outcome> };

type Reduced<Item, Outcome> = {
  state: Triage<Item, Outcome>;
  effects: readonly Effect<Item, Outcome>[];
};

export const nothingDone = <Item, Outcome>(): Triage<Item, Outcome> => ({ items: new Map(), requests: [], count: 0 });

/**
 * Returns the next state and its effects. A reply to a request that is not in progress changes
 * nothing.
 */
export function reduce<Item, Outcome>(
  state: Triage<Item, Outcome>,
  event: TriageEvent<Item, Outcome>,
): Reduced<Item, Outcome> {
  switch (event.type) {
    case "send":
    case "undo":
    case "commit":
      return begin(state, event);
    case "listed":
      return happen(state, state.items.keys(), (id) => event.list.get(id) ?? { type: "missing" }, event.now);
    case "shown": {
      const { id, item, now } = event;
      const ids = [...state.items.keys()].filter((it) => it !== id);
      const left = happen(state, ids, () => ({ type: "left" }), now).state;
      return item && id !== undefined
        ? happen(left, [id], () => ({ type: "shown", item }), now)
        : { state: left, effects: [] };
    }
    case "seen":
      return happen(state, event.ids, () => ({ type: "seen" }), event.now);
    case "missed": {
      const missed = new Map(
        event.items.map(({ id, item, outcome }) => [id, { type: "missed" as const, item, outcome }]),
      );
      return happen(state, missed.keys(), (id) => missed.get(id), event.now);
    }
    case "tick":
      return happen(state, state.items.keys(), () => ({ type: "stayed" }), event.now);
    case "forget": {
      const items = new Map([...state.items].filter(([id]) => !event.ids.includes(id)));
      return { state: { ...state, items }, effects: [] };
    }
    case "leave":
      return release(state, () => true);
  }
  const request = state.requests.find(({ number, waits }) => number === event.request && !waits);
  if (!request) return { state, effects: [] };
  const ids = request.items.map(({ id }) => id).filter((id) => isAbout(request, state.items.get(id)));
  const { state: after, effects } = happen(state, ids, (id) => wordOn(id, request, event), event.now);
  const went = release({ ...after, requests: after.requests.filter((it) => it !== request) });
  return { state: went.state, effects: [...effects, ...newsOf(request, event), ...went.effects] };
}

type Word<Item, Outcome> =
  | Reply<Outcome>
  | Listed<Outcome>
  | { type: "undone" | "too late" | "not undone" | "left" | "seen" | "stayed" }
  | { type: "shown"; item: Item }
  | { type: "missed"; item: Item; outcome: Outcome };
type Answer<Item, Outcome> = Extract<TriageEvent<Item, Outcome>, { request: number }>;
type Act<Item, Outcome> = Extract<TriageEvent<Item, Outcome>, { type: "send" | "undo" | "commit" }>;

/**
 * Starts an action. Skips the items whose phase does not allow it. If none is left, makes no
 * request.
 */
function begin<Item, Outcome>(state: Triage<Item, Outcome>, event: Act<Item, Outcome>): Reduced<Item, Outcome> {
  const number = state.count + 1;
  const items = new Map(state.items);
  const taken: ItemRequest<Item, Outcome>[] = [];
  const effects: Effect<Item, Outcome>[] = [];
  for (const given of event.items) {
    const about = { given, request: number, now: event.now };
    const happening: ItemEvent<Item, Outcome> =
      event.type === "send"
        ? { type: "send", ...about, leftMs: event.leftMs, stayMs: event.stayMs ?? 0 }
        : { type: event.type, ...about };
    const before = items.get(given.id);
    const after = transition(before, happening);
    if (!after || after === before) continue;
    items.set(given.id, after);
    taken.push(given);
    effects.push(...effectsOf(given.id, before, happening));
  }
  if (taken.length === 0) return { state, effects: [] };
  const request: Request<Item, Outcome> = { kind: event.type, number, waits: true, items: taken };
  const went = release({ ...state, items, count: number, requests: [...state.requests, request] });
  return { state: went.state, effects: [...effects, ...went.effects] };
}

/** Sends the waiting requests that have no common subject with an earlier request. */
function release<Item, Outcome>(state: Triage<Item, Outcome>, isFree = isApart): Reduced<Item, Outcome> {
  const effects: Effect<Item, Outcome>[] = [];
  const busy = new Set<string>();
  const requests = state.requests.map((request) => {
    const about = request.items.flatMap(({ id, about = [id] }) => about);
    const goes = request.waits && isFree(about, busy);
    for (const it of about) busy.add(it);
    if (!goes) return request;
    const free = { ...request, waits: false };
    effects.push({ type: "request", request: free });
    return free;
  });
  return { state: { ...state, requests }, effects };
}

const isApart = (about: readonly string[], busy: ReadonlySet<string>) =>
  busy.size === 0 || !(about.includes(everything) || busy.has(everything) || about.some((it) => busy.has(it)));

/** Applies an event to items. */
function happen<Item, Outcome>(
  state: Triage<Item, Outcome>,
  ids: Iterable<string>,
  what: (id: string) => Word<Item, Outcome> | undefined,
  now: number,
): Reduced<Item, Outcome> {
  const items = new Map(state.items);
  const effects: Effect<Item, Outcome>[] = [];
  for (const id of [...ids]) {
    const word = what(id);
    if (!word) continue;
    const before = items.get(id);
    const after = transition(before, { ...word, now });
    if (after === before) continue;
    if (after) items.set(id, after);
    else items.delete(id);
    effects.push(...effectsOf(id, before, { ...word, now }));
  }
  return effects.length === 0 && sameItems(items, state.items)
    ? { state, effects }
    : { state: { ...state, items }, effects };
}

const sameItems = <Item>(a: ReadonlyMap<string, Item>, b: ReadonlyMap<string, Item>) =>
  a.size === b.size && [...a].every(([id, it]) => b.get(id) === it);

/** Whether the item still waits for this request's reply. A later request replaces it. */
function isAbout<Item, Outcome>(request: Request<Item, Outcome>, local: ItemState<Item, Outcome> | undefined) {
  const sent = local?.phase === "undoing" && request.kind === "send" ? local.before : local;
  return sent?.request === request.number;
}

/** The event that a reply means for one item. */
function wordOn<Item, Outcome>(
  id: string,
  { kind }: Request<Item, Outcome>,
  event: Answer<Item, Outcome>,
): Word<Item, Outcome> | undefined {
  if (event.type === "replied") return event.replies.get(id);
  if (event.type === "undone") return { type: event.late.includes(id) ? "too late" : "undone" };
  if (event.type === "committed" || kind === "commit") return undefined;
  return kind === "undo" ? { type: "not undone" } : { type: "refused", message: event.message };
}

/** The notice for a reply to an undo or a send-now. One notice covers all of its items. */
function newsOf<Item, Outcome>(
  { kind, items }: Request<Item, Outcome>,
  event: Answer<Item, Outcome>,
): Notice<Item, Outcome>[] {
  const tell = (news: News, about: readonly ItemRequest<Item, Outcome>[], more = {}): Notice<Item, Outcome>[] =>
    about.length > 0 ? [{ type: "tell", news, about, ...more }] : [];
  if (event.type === "failed" && kind !== "send")
    return tell(kind === "undo" ? "not undone" : "not committed", items, { message: event.message });
  return event.type === "undone"
    ? tell(
        "too late",
        items.filter(({ id }) => event.late.includes(id)),
      )
    : [];
}
