import { randomUUID } from "node:crypto";
import type pg from "pg";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { log } from "@/lib/log";
import { DatabaseClient } from "@/lib/net/database-hosts";
import { detached } from "@/lib/request-context";
import { loop } from "@/lib/work/loop";
import { processSingleton } from "@/lib/work/process-singleton";
import { later } from "@/lib/work/timers";
import { writeBehind } from "@/lib/work/write-behind";

/** `missed`: the connection to the other copies was broken, so that anything may have happened. */
type Listener = (missed: boolean) => void;

/**
 * Who is waiting to hear that an owner has news, on this copy and, through Postgres NOTIFY, on every other one. A message
 * says only whose; listeners read the state itself, so a lost message costs time and never truth.
 */
type Hub = {
  /** This copy among all: what it told the others is not news to it. */
  copy: string;
  listeners: Map<string, Set<Listener>>;
  /** Who hears of every owner's news that begins on this copy. */
  ofAll: Set<(ownerId: string) => void>;
  /** Owners to wake the other copies about, gathered while one NOTIFY is under way. */
  waiting: Set<string>;
  client?: pg.Client | undefined;
  /** Listen anew; there while this copy listens. */
  relisten?: (() => void) | undefined;
  /** Called when the message came back that it sent to itself. */
  echoed: () => void;
  closed: boolean;
  closers: Set<() => void>;
};

const hub = processSingleton<Hub>("hub", () => ({
  copy: randomUUID(),
  listeners: new Map(),
  ofAll: new Set(),
  waiting: new Set(),
  echoed: () => {},
  closed: false,
  closers: new Set(),
}));
const notifying = processSingleton("notifying other copies", () =>
  writeBehind({ every: gatherMs, problem: "other copies were not notified", write: notify }),
);

const checking = processSingleton("checking that news arrives", () =>
  loop({
    intervalMs: checkMs,
    failureMessage: "news of other copies may be up to 20 seconds late",
    run: () => probeNotify(),
  }),
);

/** Whether news arrives, as last seen, for whoever watches over the service. */
export type NotifyHealth = {
  /** From a NOTIFY of this process to its own LISTEN, in milliseconds; undefined before the first check, and where it was lost. */
  roundTripMs: number | undefined;
  /** How many such messages were lost since the process began. */
  lost: number;
};
export const notifyHealth = processSingleton<NotifyHealth>("news arrival", () => ({ roundTripMs: undefined, lost: 0 }));

const channel = "countersign_news";
/** How often this copy sends a message to itself, and how long it waits for that. */
const [checkMs, echoMs] = [60_000, 5000];
/** How long news is gathered for one NOTIFY. Listeners on this copy do not wait for it. */
const gatherMs = 5;

/** Hear when the owner has news. @returns how to stop listening */
export function subscribe(ownerId: string, listener: Listener): () => void {
  const { listeners } = hub();
  const own = listeners.get(ownerId) ?? new Set();
  listeners.set(ownerId, own.add(listener));
  detached(() => void listen());
  return () => {
    own.delete(listener);
    if (own.size === 0 && listeners.get(ownerId) === own) listeners.delete(ownerId);
  };
}

/**
 * Say, after a commit, that the owner has news. Listeners on this copy hear at once; the others by a NOTIFY of its own,
 * gathered so that commits never queue for Postgres's one notification lock.
 */
export function publish(ownerId: string): void {
  detached(() => {
    wake(ownerId);
    for (const listener of hub().ofAll) listener(ownerId);
    hub().waiting.add(ownerId);
    notifying().markDirty();
  });
}

/**
 * Hear of every owner's news that is announced on this copy, for work that one copy has to do. What is lost with a copy has
 * to be found by looking. @returns how to stop listening
 */
export function subscribeToAll(listener: (ownerId: string) => void): () => void {
  hub().ofAll.add(listener);
  return () => hub().ofAll.delete(listener);
}

/** Called once per open stream when the service drains. @returns how to withdraw */
export function onDrain(close: () => void): () => void {
  const { closers, closed } = hub();
  if (closed) close();
  else closers.add(close);
  return () => closers.delete(close);
}

/** End every stream and stop listening to Postgres; what was not yet told to other copies is told first. */
export async function closePubsub(): Promise<void> {
  const it = hub();
  it.closed = true;
  for (const close of it.closers) close();
  it.closers.clear();
  it.echoed();
  await Promise.all([notifying().flush(), checking().stop()]);
  await it.client?.end().catch(() => {});
}

const wake = (ownerId: string, missed = false) => {
  for (const listener of hub().listeners.get(ownerId) ?? []) listener(missed);
};

async function notify(): Promise<boolean> {
  const { copy, waiting } = hub();
  const owners = [...waiting];
  waiting.clear();
  if (owners.length > 0)
    // Postgres gives a NOTIFY a commit record; nobody has to wait for that one to reach the disk.
    await sql`SELECT set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${copy} || ' ' || owner)
      FROM unnest(${owners}::text[]) AS owner`.rows();
  return waiting.size > 0;
}

/**
 * Send this copy a message through PostgreSQL. What stands between may lose messages without a word: a connection pooler that gives
 * the listening session to others, or a network that has forgotten the connection. Then it listens anew, and everybody looks.
 * @param patience how long to wait for it, in milliseconds
 * @throws where it was lost, or could not be sent
 */
export async function probeNotify(patience = echoMs): Promise<void> {
  const it = hub();
  const { relisten } = it;
  if (!relisten) return;
  const began = performance.now();
  const heard = await new Promise<boolean>((resolve, reject) => {
    const timer = setTimeout(resolve, patience, false).unref();
    it.echoed = () => {
      clearTimeout(timer);
      resolve(true);
    };
    sql`SELECT set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${it.copy})`.rows().catch(reject);
  });
  // A connection that broke meanwhile is remade in any case.
  if (it.closed || it.relisten !== relisten) return;
  notifyHealth().roundTripMs = heard ? performance.now() - began : undefined;
  if (heard) return;
  notifyHealth().lost++;
  relisten();
  throw new Error(
    "a message to this copy itself was lost: let DATABASE_DIRECT_URL lead to PostgreSQL without a pooler",
  );
}

/** One connection of its own, remade when it breaks; after a gap everybody looks again, since missed messages are gone. */
async function listen() {
  const it = hub();
  if (it.client || it.closed) return;
  let client: pg.Client | undefined;
  const lost = () => {
    if (it.client !== client) return;
    it.client = undefined;
    it.relisten = undefined;
    client?.end().catch(() => {});
    if (!it.closed) later(1000, () => void listen());
  };
  try {
    client = new DatabaseClient({
      connectionString: env().directUrl,
      keepAlive: true,
      application_name: "countersign listen",
    });
    it.client = client;
    client.on("error", lost).on("end", lost);
    client.on("notification", ({ payload = "" }) => {
      const [copy, owner] = payload.split(" ");
      if (copy === it.copy && owner === undefined) it.echoed();
      else if (copy !== it.copy && owner !== undefined) wake(owner);
    });
    await client.connect();
    if (it.closed) return lost();
    await client.query(`LISTEN ${channel}`);
    it.relisten = lost;
    checking();
    for (const owner of [...it.listeners.keys()]) wake(owner, true);
  } catch (error) {
    if (!it.closed) log.warn("cannot listen for news yet", { reason: String(error) });
    lost();
  }
}
