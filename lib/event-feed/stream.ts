import { authenticate } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { asAppError } from "@/lib/errors";
import { type Subscription, subscribeAs } from "@/lib/requests/long-poll";
import { type EventsQuery, positionOf, readEnd, readEvents } from "./event-feed";
import { eventId, type Position } from "./event-id";
import { isAppEventType } from "./event-types";
import type { Event } from "./schema";

/**
 * Interval of keep-alive comments, the client's reconnect delay, and the retry delay while the
 * database is down, in milliseconds.
 */
const heartbeatMs = 25_000;
const retryMs = 2_000;
const rereadMs = 1_000;
/** Maximum events per read. */
const size = 100;

/**
 * Streams the app's events as server-sent events (HTML, section 9.2), starting after the client's
 * last event, after `after`, or with the next new event. The stream ends within seconds after the
 * token ends or the instance stops. Clients can reconnect without losing events.
 * @param lastEventId the header Last-Event-ID, which overrides `after`
 * @throws {AppError} 401; 400 for an ID that is not an event of this app and owner; 410 as
 *   `readEvents`; 429 if too many streams are open
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
  // Reads once before the response begins, so that an error has its own status.
  await readEvents(app, from, 1, name);
  const ear = subscribeAs(listener, { kind: "stream", signal: leaving(), ordered: true, wants: isAppEventType });
  return tellAll(app, from, ear);
}

async function* tellAll(app: AppActor, from: Position, ear: Subscription): AsyncGenerator<string> {
  let position = from;
  try {
    // Includes the position, so that a client that is disconnected before the first event resumes
    // here.
    yield `retry: ${retryMs}\nid: ${eventId(position)}\n\n`;
    for (;;) {
      const woken = await ear.next(heartbeatMs);
      if (woken === "gone" || woken === "draining") return;
      if (woken === "time") yield ": still here\n\n";
      for (let more = true; more; ) {
        const stretch = await readOrWait(app, position, ear);
        if (!stretch) return;
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
 * @returns an empty page while the database is down, after scheduling another read; undefined for
 *   other errors, such as an ended token
 */
async function readOrWait(app: AppActor, position: Position, ear: Subscription) {
  try {
    return await readEvents(app, position, size);
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    if (known.status !== 503) return undefined;
    ear.againIn(rereadMs);
    return { events: [], end: position, more: false };
  }
}

const asText = (event: Event) => `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
