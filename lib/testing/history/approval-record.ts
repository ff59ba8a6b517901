import {
  type Add,
  type Answer,
  type Ask,
  entriesOf,
  type FeedEvent,
  type Freeze,
  groupBy,
  type History,
  type Read,
  type Resolve,
  type Undo,
  type Use,
  type Withdraw,
} from "./history";

/** Everything in a history about one approval. Lists are in the order in which operations began. */
export type ApprovalRecord = {
  id: string;
  owner: string;
  /** The name for messages. */
  name: string;
  ask?: Ask | undefined;
  writes: (Resolve | Answer)[];
  undos: Undo[];
  adds: Add[];
  uses: Use[];
  withdrawals: Withdraw[];
  reads: Read[];
  /** The answers in events and webhooks. */
  reported: FeedEvent[];
  /** The owner's freezes and their ends. */
  freezes: Freeze[];
};

/** Collects the approvals of a history. */
export function approvalsOf(history: History): ApprovalRecord[] {
  const asks = entriesOf(history, "ask");
  const about = entriesOf(history, "resolve", "answer", "undo", "add", "use", "withdraw", "read");
  const byId = groupBy(about, ({ id }) => id);
  const freezes = groupBy(entriesOf(history, "freeze", "unfreeze"), ({ owner }) => owner);
  const events = [
    ...entriesOf(history, "events").flatMap((entry) => entry.events),
    ...entriesOf(history, "message").map((entry) => entry.event),
  ];
  const reported = groupBy(
    events.filter(({ type }) => type === "approval.resolved"),
    ({ subject }) => subject,
  );
  const named = new Map(asks.flatMap((ask) => (ask.id ? [[ask.id, ask] as const] : [])));
  return [...new Set([...named.keys(), ...byId.keys()])].map((id) => {
    const ask = named.get(id);
    const own = (byId.get(id) ?? []).sort((a, b) => a.began.at - b.began.at);
    const owner = ask?.owner ?? own[0]?.owner ?? "";
    const pick = <Op extends (typeof own)[number]["op"]>(...ops: Op[]) => entriesOf(own, ...ops);
    return {
      id,
      owner,
      name: ask ? `${ask.question} (${id})` : id,
      ask,
      writes: pick("resolve", "answer"),
      undos: pick("undo"),
      adds: pick("add"),
      uses: pick("use"),
      withdrawals: pick("withdraw"),
      reads: pick("read"),
      reported: reported.get(id) ?? [],
      freezes: freezes.get(owner) ?? [],
    };
  });
}

/** A successful read. */
export type GoodRead = Read & { seen: NonNullable<Read["seen"]> };
export const goodReads = ({ reads }: ApprovalRecord): GoodRead[] =>
  reads.filter((read): read is GoodRead => read.seen !== undefined);

/** Returns the latest successful read. */
export const lastRead = (record: ApprovalRecord): GoodRead | undefined =>
  goodReads(record).reduce<GoodRead | undefined>(
    (last, read) => (last && last.began.at > read.began.at ? last : read),
    undefined,
  );
