import { entriesOf, groupBy, type History, type Message } from "./history";

/*
 * Each event of a subscribed type arrives at least once, always with the same ID and a valid
 * signature.
 */

/** The types of events that the run's webhooks subscribe to. */
export const webhookTypes = ["approval.submitted", "approval.resolved", "approval.withdrawn"];

export function checkWebhooks(history: History): string[] {
  const problems: string[] = [];
  const events = groupBy(entriesOf(history, "events"), ({ owner }) => owner);
  for (const [owner, messages] of groupBy<Message>(entriesOf(history, "message"), ({ owner }) => owner)) {
    const nameOf = ({ event }: Message) => `${event.type} of ${event.subject}`;
    for (const [key, same] of groupBy(messages, ({ key }) => key))
      if (new Set(same.map(nameOf)).size > 1) problems.push(`Webhooks about several events have the ID ${key}.`);
    const arrived = groupBy(messages, nameOf);
    for (const [name, same] of arrived)
      if (new Set(same.map(({ key }) => key)).size > 1)
        problems.push(`The webhook "${name}" arrived with several IDs.`);
    if (messages.some(({ isSigned }) => !isSigned)) problems.push(`A webhook to ${owner} has an invalid signature.`);
    const feed = (events.get(owner) ?? []).flatMap((entry) => entry.events);
    const told = new Set(feed.map(({ type, subject }) => `${type} of ${subject}`));
    for (const name of told)
      if (webhookTypes.some((type) => name.startsWith(`${type} of`)) && !arrived.has(name))
        problems.push(`The webhook "${name}" did not arrive.`);
    for (const name of arrived.keys())
      if (!told.has(name)) problems.push(`The webhook "${name}" arrived, but its event is not in the feed.`);
  }
  return problems;
}
