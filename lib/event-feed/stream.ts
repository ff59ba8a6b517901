import { authenticate } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { asAppError } from "@/lib/errors";
import { type Subscription, subscribeAs } from "@/lib/requests/long-poll";
import { eventId, type Position } from "./cursor";
import { type EventsQuery, positionOf, readEnd, readEvents } from "./event-feed";
import { isAppEventType } from "./event-types";
import type { Event } from "./schema";

/** How often a silent stream says that it is there, how soon a client comes back, and what waits for an absent database. */
const heartbeatMs = 25_000;
const retryMs = 2_000;
const againMs = 1_000;
/** Most events read at once. */
const size = 100;

/**
 * The app's events as server-sent events (HTML, section 9.2): from where the client's last connection ended, from `after`, or
 * from now on. It ends when the token does, within seconds, and when this copy of the service stops; then clients connect
 * again and lose nothing. No database connection is held.
 * @param lastEventId the header Last-Event-ID, which wins over `after`
 * @throws {AppError} 401; 400 for what is no event of this app and owner; 429 when too many streams are open
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
  // Looked at before anything is sent: a refusal has a status of its own.
  await readEvents(app, from, 1, name);
  const ear = subscribeAs(listener, { kind: "stream", signal: leaving(), ordered: true, wants: isAppEventType });
  return tellAll(app, from, ear);
}

async function* tellAll(app: AppActor, from: Position, ear: Subscription): AsyncGenerator<string> {
  let at = from;
  try {
    // With its place, so that a client that is cut off before the first event does not begin anew.
    yield `retry: ${retryMs}\nid: ${eventId(at)}\n\n`;
    for (;;) {
      const woken = await ear.next(heartbeatMs);
      if (woken === "gone" || woken === "draining") return;
      if (woken === "time") yield ": still here\n\n";
      for (let more = true; more; ) {
        const stretch = await readOrWait(app, at, ear);
        if (!stretch) return;
        ({ end: at, more } = stretch);
        if (stretch.events.length > 0) yield stretch.events.map(asText).join("");
      }
    }
  } finally {
    ear.close();
  }
}

/** @returns undefined when the token has ended; nothing, to be asked for again, while the database is away */
async function readOrWait(app: AppActor, at: Position, ear: Subscription) {
  try {
    return await readEvents(app, at, size);
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    if (known.status !== 503) return undefined;
    ear.againIn(againMs);
    return { events: [], end: at, more: false };
  }
}

const asText = (event: Event) => `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
