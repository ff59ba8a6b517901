import { entriesOf, type FeedEvent, groupBy, type History, type Message } from "./history";

/*
 * Each event of a subscribed type arrives at least once, always with the same ID and a valid
 * signature.
 */

/** The types of events that the run's webhooks subscribe to. */
export const webhookTypes = ["approval.submitted", "approval.resolved", "approval.withdrawn"];

const nameOfEvent = ({ type, subject }: FeedEvent) => `${type} of ${subject}`;

/**
 * Returns the events for which webhooks must arrive, from all that a reader received. A release's
 * endpoint gets no events from before its creation.
 */
export function dueWebhooks(history: History, owner: string, events: readonly FeedEvent[]): FeedEvent[] {
  const endpoint = entriesOf(history, "endpoint").find((it) => it.owner === owner);
  const from = endpoint ? events.findIndex(({ subject }) => subject === endpoint.first) : 0;
  return events.slice(Math.max(0, from)).filter(({ type }) => webhookTypes.includes(type));
}

export function checkWebhooks(history: History): string[] {
  const problems: string[] = [];
  const events = groupBy(entriesOf(history, "events"), ({ owner }) => owner);
  const received = groupBy<Message>(entriesOf(history, "message"), ({ owner }) => owner);
  // A history without any webhook has no receiver.
  const owners = received.size > 0 ? [...events.keys(), ...received.keys()] : [];
  for (const owner of new Set(owners)) {
    const messages = received.get(owner) ?? [];
    const nameOf = ({ event }: Message) => nameOfEvent(event);
    for (const [key, same] of groupBy(messages, ({ key }) => key))
      if (new Set(same.map(nameOf)).size > 1) problems.push(`Webhooks about several events have the ID ${key}.`);
    const arrived = groupBy(messages, nameOf);
    for (const [name, same] of arrived)
      if (new Set(same.map(({ key }) => key)).size > 1)
        problems.push(`The webhook "${name}" arrived with several IDs.`);
    if (messages.some(({ isSigned }) => !isSigned)) problems.push(`A webhook to ${owner} has an invalid signature.`);
    const readers = [...groupBy(events.get(owner) ?? [], ({ reader }) => reader).values()];
    const feeds = readers.map((own) => own.flatMap((entry) => entry.events));
    const told = new Set(feeds.flat().map(nameOfEvent));
    for (const name of new Set(feeds.flatMap((feed) => dueWebhooks(history, owner, feed)).map(nameOfEvent)))
      if (!arrived.has(name)) problems.push(`The webhook "${name}" did not arrive.`);
    for (const name of arrived.keys())
      if (!told.has(name)) problems.push(`The webhook "${name}" arrived, but its event is not in the feed.`);
  }
  return problems;
}
