/*
 * What clients, owners, pages and receivers did and saw in one run, as the checker reads it. Each
 * entry has the interval in which it happened, so that the checker can decide which orders are
 * possible. The time is monotonic, starts at the epoch, and is the same for all entries.
 */

/**
 * A moment in milliseconds. `free` grows only while the machine is responsive, so that limits such as
 * "within five seconds" also hold on a busy machine.
 */
export type Moment = { at: number; free: number };

/**
 * The result of an operation. `refused`: the service returned a 4xx, so nothing happened.
 * `unknown`: a 5xx or no response, so that the operation may have happened, or may still happen.
 */
export type Outcome = "ok" | "refused" | "unknown";

type Interval = { began: Moment; ended: Moment };

/**
 * An operation at an instance. `owner` is the owner whose data it concerns. `lacksRetryAfter`: a 503
 * did not say when to try again.
 */
type Called = Interval & {
  owner: string;
  outcome: Outcome;
  status: number;
  reason?: string;
  lacksRetryAfter?: boolean;
};

/** An approval as a response shows it. `note` identifies the answer. */
export type Seen = {
  status: "pending" | "resolved";
  note?: string | undefined;
  resolvedBy?: "owner" | "api" | undefined;
  optionId?: string | undefined;
  resolvedAt?: number | undefined;
  additions: string[];
  usedAt?: number | undefined;
  withdrawnAt?: number | undefined;
  deadlinePassed?: boolean | undefined;
};

/** The terms of a question that decide its outcome. `deadline` is in epoch milliseconds. */
export type Terms = { deadline?: number | undefined; defaultOption?: string | undefined; once?: boolean | undefined };

export type Ask = Called & { op: "ask"; question: string; id?: string | undefined; terms: Terms };
export type Resolve = Called & { op: "resolve"; id: string; note: string };
/** An owner's answer. `seen` lists the additions on the owner's page. */
export type Answer = Called & { op: "answer"; id: string; note: string; seen: string[]; held: boolean };
/** An undo. `undone` is whether the service reported that the question is pending again. */
export type Undo = Called & { op: "undo"; id: string; undone: boolean };
export type Send = Called & { op: "send"; id: string };
export type Add = Called & { op: "add"; id: string; text: string };
export type Use = Called & { op: "use"; id: string; key: string; receipt?: string | undefined };
export type Withdraw = Called & { op: "withdraw"; id: string };
export type Freeze = Called & { op: "freeze" | "unfreeze" };
export type Push = Called & { op: "push"; title: string; id?: string | undefined };
/** A read of one approval. `seen` is absent if the read failed. */
export type Read = Called & { op: "read"; id: string; via: "get" | "wait" | "list" | "last"; seen?: Seen | undefined };
export type Operation = Ask | Resolve | Answer | Undo | Send | Add | Use | Withdraw | Freeze | Push | Read;

export type FeedEvent = { id: string; type: string; subject: string; note?: string | undefined };
/** What a reader of the event feed received in one response or through a stream, in this order. */
export type Events = Interval & { op: "events"; owner: string; reader: string; events: FeedEvent[] };
/** A webhook message. `key` is its `webhook-id`, and `isSigned` whether its signature is valid. */
export type Message = Interval & { op: "message"; owner: string; key: string; isSigned: boolean; event: FeedEvent };
/**
 * The content of an open page. `rows` are the questions' or notifications' names, `count` the number
 * in the title.
 */
export type PageView = Interval & {
  op: "page";
  owner: string;
  page: string;
  list: "inbox" | "notifications";
  instance: number;
  count: number;
  rows: string[];
};
/** A trouble, until everything that it affected works again. */
export type Trouble = Interval & { op: "trouble"; name: string; instances: number[]; owners: string[] };

/** A release's webhook endpoint. It was created just before the first event about `first`. */
export type Endpoint = { op: "endpoint"; owner: string; first: string };

export type Entry = Operation | Events | Message | PageView | Trouble | Endpoint;
export type History = Entry[];

/** Whether an entry ended before another one began, so that no other order is possible. */
export const isBefore = (first: Interval, second: Interval): boolean => first.ended.at < second.began.at;

/** Returns the entries of some types. */
export const entriesOf = <Op extends Entry["op"]>(history: History, ...ops: Op[]): Extract<Entry, { op: Op }>[] =>
  history.filter((entry): entry is Extract<Entry, { op: Op }> => (ops as string[]).includes(entry.op));

/** Groups entries by a key. */
export function groupBy<T>(entries: readonly T[], keyOf: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group) group.push(entry);
    else groups.set(keyOf(entry), [entry]);
  }
  return groups;
}

export const toLines = (history: History): string => history.map((entry) => `${JSON.stringify(entry)}\n`).join("");
export const fromLines = (text: string): History =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry);
