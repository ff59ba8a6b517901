import { authenticate } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { AppError, asAppError } from "@/lib/errors";
import { FrozenApp } from "@/lib/frozen-errors";
import { pausePoint } from "@/lib/pause-points";
import { type Subscription, subscribeAs } from "@/lib/requests/long-poll";
import { type EventsQuery, positionOf, readEnd, readEvents } from "./event-feed";
import { eventId, type Position } from "./event-id";
import { isAppEventType } from "./event-types";
import type { Event } from "./schema";

/**
 * The interval of keep-alive comments, the client's reconnect delay, and the retry delay while the
 * database is down, in milliseconds.
 */
const heartbeatMs = 25_000;
const retryMs = 2_000;
const rereadMs = 1_000;
/** The maximum number of events per read. */
const size = 100;

/**
 * Streams the app's events as server-sent events (HTML, section 9.2). The stream starts after the
 * client's last event or after the event `after`; by default, it starts with the next new event. It
 * ends within seconds after the token ends or the instance stops, and clients can reconnect without
 * losing events. After a freeze, the last event is `closed`, with the error that requests now get.
 * @param lastEventId the Last-Event-ID header, which overrides `after`
 * @throws {AppError} 401; 400 for an ID that is not an event of this app and owner; 410 as in
 * `readEvents`; 429 if too many streams are open
 */
export async function streamEvents(
  app: AppActor,
  { after }: EventsQuery,
  lastEventId: string | undefined,
  leaving: () => AbortSignal,
): Promise<AsyncGenerator<string>> {
  const admitted = await authenticate(app);
  const listener = { ...app, admitted };
  const named = lastEventId ?? after;
  const name = lastEventId === undefined ? "after" : "Last-Event-ID";
  const from = named === undefined ? await readEnd(app) : positionOf(named, name);
  // Reads once before the response begins, so that an error can set the response's status.
  await readEvents(app, from, 1, name);
  await pausePoint("stream end read, not subscribed");
  const ear = subscribeAs(listener, { kind: "stream", signal: leaving(), ordered: true, wants: isAppEventType });
  return tellAll(app, from, ear);
}

async function* tellAll(app: AppActor, from: Position, ear: Subscription): AsyncGenerator<string> {
  let position = from;
  try {
    // Includes the position, so that a client that is disconnected before the first event resumes
    // from here.
    yield `retry: ${retryMs}\nid: ${eventId(position)}\n\n`;
    for (;;) {
      const woken = await ear.next(heartbeatMs);
      if (woken === "gone" || woken === "draining") return;
      if (woken === "time") yield ": still here\n\n";
      for (let more = true; more; ) {
        const stretch = await readOrWait(app, position, ear);
        if (!stretch) return;
        if (stretch instanceof AppError) return yield endOf(stretch);
        ({ end: position, more } = stretch);
        if (stretch.events.length > 0) yield stretch.events.map(asText).join("");
      }
    }
  } finally {
    ear.close();
  }
}

/**
 * Reads a page of events.
 * @returns an empty page while the database is down, after scheduling another read; the error if the
 * app is frozen; undefined after other errors, such as an ended token
 */
async function readOrWait(app: AppActor, position: Position, ear: Subscription) {
  try {
    return await readEvents(app, position, size);
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    if (known instanceof FrozenApp) return known;
    if (known.status !== 503) return undefined;
    ear.againIn(rereadMs);
    return { events: [], end: position, more: false };
  }
}

/**
 * The last event of a stream that ends for a reason that the app should know. The event has no ID,
 * so that the app can resume from the event before it.
 */
const endOf = ({ message, details }: AppError) =>
  `event: closed\ndata: ${JSON.stringify({ error: message, details })}\n\n`;

const asText = (event: Event) => `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
