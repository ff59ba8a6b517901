import { setTimeout as sleep } from "node:timers/promises";
import { type Received, verified } from "../webhook-receiver";
import { type Run, send } from "./calls";
import { dueWebhooks, webhookTypes } from "./check-webhooks";
import type { FeedEvent, Moment } from "./history";
import type { Random } from "./random";
import type { Party, Setup } from "./setup";

type RawEvent = { id: string; type: string; data: { id?: string; resolution?: { note?: string } } };
const toFeedEvent = ({ id, type, data }: RawEvent): FeedEvent => ({
  ...{ id, type, subject: data.id ?? type },
  ...(data.resolution && { note: data.resolution.note ?? "without a note" }),
});

/** A reader of one owner's events. `received` counts them. */
export type EventReader = { name: string; owner: string; received: number; lastAt: number };

/** Adds what a reader received to the history. */
function record({ recorder }: Run, reader: EventReader, began: Moment, events: FeedEvent[]): void {
  if (events.length === 0) return;
  reader.received += events.length;
  reader.lastAt = performance.now();
  recorder.add({ op: "events", owner: reader.owner, reader: reader.name, began, ended: recorder.now(), events });
}

/** Adds a reader to the history, so that the checker also compares a reader that receives nothing. */
function begin({ recorder }: Run, reader: EventReader, first: FeedEvent | undefined): void {
  const [began, events] = [recorder.now(), first ? [first] : []];
  reader.received = events.length;
  recorder.add({ op: "events", owner: reader.owner, reader: reader.name, began, ended: began, events });
}

/** Returns the position after all events so far, at which both readers of an owner begin. */
export async function endOfFeed(it: Run, { token }: Party): Promise<string> {
  const [instance] = it.instances as [Run["instances"][number]];
  for (let cursor = ""; ; ) {
    const after = cursor && `&after=${cursor}`;
    const { body } = await send(instance, `/api/events?limit=100${after}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    cursor = String(body.nextCursor);
    if ((body.data as RawEvent[]).length === 0) return cursor;
  }
}

/**
 * Returns the first event of a release's dump, after which both readers of its owner begin. A stream
 * can't begin before the first event.
 */
export async function firstOfFeed(it: Run, { token }: Party): Promise<FeedEvent> {
  const [instance] = it.instances as [Run["instances"][number]];
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await send(instance, "/api/events?limit=1", { headers });
  return toFeedEvent((body.data as [RawEvent])[0]);
}

/** `first` is the event `start`, if it counts as received. */
type ReaderOptions = { choices: Random; start: string; first?: FeedEvent | undefined; isDone: () => boolean };

/** Reads the list of events page by page, at both instances in turn, until `isDone`. */
export function readList(it: Run, party: Party, { choices, start, first, isDone }: ReaderOptions) {
  const reader: EventReader = { name: `list of ${party.name}`, owner: party.name, received: 0, lastAt: 0 };
  begin(it, reader, first);
  const headers = { authorization: `Bearer ${party.token}` };
  const work = async () => {
    for (let cursor = start; !isDone(); ) {
      const began = it.recorder.now();
      const path = `/api/events?limit=100&wait=2&after=${cursor}`;
      const { outcome, body } = await send(choices.pick(it.instances), path, { headers });
      if (outcome !== "ok") {
        await sleep(300);
        continue;
      }
      const { data, nextCursor } = body as { data: RawEvent[]; nextCursor?: string };
      record(it, reader, began, data.map(toFeedEvent));
      cursor = nextCursor ?? cursor;
    }
  };
  return { reader, ended: work() };
}

/** Follows the stream of events, and reconnects at another instance after each end, until `isDone`. */
export function readStream(it: Run, party: Party, { choices, start, first, isDone }: ReaderOptions) {
  const reader: EventReader = { name: `stream of ${party.name}`, owner: party.name, received: 0, lastAt: 0 };
  begin(it, reader, first);
  let last = start;
  const over = new AbortController();
  const connect = async () => {
    const headers = { authorization: `Bearer ${party.token}`, accept: "text/event-stream", "last-event-id": last };
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(choices.between(8_000, 30_000))]);
    const response = await fetch(`${choices.pick(it.instances).url}/api/events`, { headers, signal });
    if (response.status !== 200 || !response.body) return;
    let text = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const began = it.recorder.now();
      text += piece;
      const end = text.lastIndexOf("\n\n") + 2;
      if (end < 2) continue;
      const blocks = text.slice(0, end).split("\n\n");
      text = text.slice(end);
      for (const block of blocks) {
        const id = /^id: (\S+)$/m.exec(block)?.[1];
        if (id) last = id;
        const data = /^data: (.*)$/m.exec(block)?.[1];
        const event = data && id ? (JSON.parse(data) as RawEvent) : undefined;
        if (event?.type && event.data) record(it, reader, began, [toFeedEvent(event)]);
      }
    }
  };
  const work = async () => {
    while (!isDone()) {
      await connect().catch(() => {});
      await sleep(300);
    }
  };
  return { reader, ended: work(), close: () => over.abort() };
}

/**
 * Lets the receiver fail in a tenth of the messages, and returns a function that adds all messages so
 * far to the history.
 */
export function receiveWebhooks(it: Run, { receiver, parties }: Setup, choices: Random): () => void {
  const signed = new Set<Received>();
  // A signature is valid for five minutes.
  const verify = (secret: string, message: Received) => {
    if (isValid(() => verified(secret, message))) signed.add(message);
  };
  for (const { hook } of parties) {
    // The webhooks of a release's dump may already have arrived.
    for (const message of receiver.at(hook.path)) verify(hook.secret, message);
    receiver.on(hook.path, (response, request) => {
      // The receiver has just stored the message.
      const message = receiver.at(hook.path).at(-1);
      if (message) verify(hook.secret, message);
      if (choices.chance(0.03)) return request.socket.destroy();
      return response.writeHead(choices.chance(0.07) ? 500 : 204).end();
    });
  }
  return () => {
    for (const { hook, name } of parties)
      for (const message of receiver.at(hook.path)) {
        const moment = { at: message.at, free: message.at };
        const event = toFeedEvent(JSON.parse(message.body) as RawEvent);
        const key = String(message.headers["webhook-id"]);
        const isSigned = signed.has(message);
        it.recorder.add({ op: "message", owner: name, began: moment, ended: moment, key, isSigned, event });
      }
  };
}

function isValid(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}

/** Returns the number of different events for which webhooks arrived, by owner. */
export function arrivedEvents({ receiver }: Setup, { hook }: Party): number {
  const events = receiver.at(hook.path).map(({ body }) => JSON.parse(body) as RawEvent);
  return new Set(events.filter(({ type }) => webhookTypes.includes(type)).map(({ id }) => id)).size;
}

/** Returns the number of an owner's events for which webhooks must arrive. */
export function expectedWebhooks({ recorder: { history } }: Run, { name, owner }: EventReader): number {
  const events = history.flatMap((entry) => (entry.op === "events" && entry.reader === name ? entry.events : []));
  return dueWebhooks(history, owner, events).length;
}
