import { approvalsOf, lastRead } from "./approval-record";
import { entriesOf, type FeedEvent, groupBy, type History } from "./history";

/*
 * Each change is one event, and each reader of the feed receives each event once, in the same order,
 * from the first read to the last. Changes that did not overlap have their events in their order.
 */

export function checkEvents(history: History): string[] {
  const problems: string[] = [];
  for (const [owner, reads] of groupBy(entriesOf(history, "events"), ({ owner }) => owner)) {
    const readers = [...groupBy(reads, ({ reader }) => reader)].map(([reader, own]) => ({
      reader,
      events: own.flatMap(({ events }) => events),
    }));
    for (const { reader, events } of readers) problems.push(...checkRepeated(reader, events));
    const [first, ...others] = readers;
    if (!first) continue;
    for (const other of others) problems.push(...compare(first, other));
    problems.push(...checkChanges(history, owner, first.events), ...checkOrder(history, owner, first.events));
  }
  return problems;
}

type Reader = { reader: string; events: FeedEvent[] };

function checkRepeated(reader: string, events: readonly FeedEvent[]): string[] {
  const repeated = [...groupBy(events, ({ id }) => id)].find(([, same]) => same.length > 1);
  if (repeated) return [`The reader ${reader} received the event ${repeated[0]} more than once.`];
  const oneTime = events.filter(({ type }) => /^approval\.(?!question)|^notification\./.test(type));
  const twice = [...groupBy(oneTime, ({ type, subject }) => `${type} of ${subject}`)].find(
    ([, same]) => same.length > 1,
  );
  return twice ? [`The change "${twice[0]}" is in the feed more than once.`] : [];
}

function compare(one: Reader, other: Reader): string[] {
  const at = one.events.findIndex(({ id }, nth) => id !== other.events[nth]?.id);
  const nth = at === -1 ? one.events.length : at;
  const [here, there] = [one.events[nth], other.events[nth]];
  if (!here && !there) return [];
  const nameOf = (event: FeedEvent | undefined) => (event ? `${event.type} of ${event.subject}` : "nothing");
  return [
    `The readers ${one.reader} and ${other.reader} differ at event ${nth + 1}: ${nameOf(here)} and ${nameOf(there)}.`,
  ];
}

/** Returns the changes of an owner that have an event, each with the event's type and subject. */
function changesOf(history: History, owner: string) {
  const own = entriesOf(history, "ask", "resolve", "push", "withdraw").filter((entry) => entry.owner === owner);
  return own.flatMap((entry) => {
    const change = { began: entry.began.at, ended: entry.ended.at, outcome: entry.outcome };
    switch (entry.op) {
      case "ask":
        return entry.id ? [{ ...change, type: "approval.submitted", subject: entry.id }] : [];
      case "push":
        return entry.id ? [{ ...change, type: "notification.pushed", subject: entry.id }] : [];
      case "withdraw":
        return [{ ...change, type: "approval.withdrawn", subject: entry.id }];
      default:
        return [{ ...change, type: "approval.resolved", subject: entry.id }];
    }
  });
}

/** Each acknowledged change has its event, and each event its change. */
function checkChanges(history: History, owner: string, events: readonly FeedEvent[]): string[] {
  const told = new Set(events.map(({ type, subject }) => `${type} of ${subject}`));
  const missing = changesOf(history, owner)
    .filter(({ outcome, type, subject }) => outcome === "ok" && !told.has(`${type} of ${subject}`))
    .map(({ type, subject }) => `The acknowledged change "${type} of ${subject}" is not in the feed.`);
  const records = approvalsOf(history).filter((record) => record.owner === owner);
  const answers = records.flatMap((record) => {
    const final = lastRead(record);
    const event = events.find(({ type, subject }) => type === "approval.resolved" && subject === record.id);
    if (final?.seen.status === "resolved" && !event) return [`The answer to ${record.name} is not in the feed.`];
    if (final?.seen.status === "pending" && event && final.via === "last")
      return [`The feed has an answer to ${record.name}, which is pending.`];
    return [];
  });
  const asked = entriesOf(history, "ask", "push").filter((entry) => entry.owner === owner);
  const known = new Set(asked.flatMap(({ id }) => id ?? []));
  const unknown = (op: "ask" | "push") =>
    asked.filter((it) => it.op === op && it.id === undefined && it.outcome === "unknown");
  const invented = (["ask", "push"] as const).flatMap((op) => {
    const type = op === "ask" ? "approval.submitted" : "notification.pushed";
    const others = events.filter((event) => event.type === type && !known.has(event.subject));
    return others
      .slice(unknown(op).length)
      .map(({ subject }) => `The feed has "${type} of ${subject}", which nobody made.`);
  });
  return [...missing, ...answers, ...invented];
}

/** Of two changes of which one ended before the other began, the first has the earlier event. */
function checkOrder(history: History, owner: string, events: readonly FeedEvent[]): string[] {
  const changes = new Map(
    changesOf(history, owner)
      // Of several answers, only one has the event.
      .filter(({ outcome, type }) => outcome === "ok" && type !== "approval.resolved")
      .map((change) => [`${change.type} of ${change.subject}`, change]),
  );
  let latest: { name: string; began: number } | undefined;
  for (const { type, subject } of events) {
    const name = `${type} of ${subject}`;
    const change = changes.get(name);
    if (!change) continue;
    if (latest && change.ended < latest.began)
      return [`The event "${name}" comes after "${latest.name}", although its change came first.`];
    if (!latest || change.began > latest.began) latest = { name, began: change.began };
  }
  const places = new Map(events.map((event, nth) => [`${event.type} of ${event.subject}`, nth]));
  const early = events.find(({ type, subject }, nth) => {
    if (type !== "approval.resolved" && type !== "approval.withdrawn") return false;
    const before = type === "approval.resolved" ? "approval.submitted" : "approval.resolved";
    return (places.get(`${before} of ${subject}`) ?? -1) > nth;
  });
  return early ? [`The event "${early.type} of ${early.subject}" comes before the event of an earlier step.`] : [];
}
