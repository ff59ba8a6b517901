import { randomUUID } from "node:crypto";
import type pg from "pg";
import { env } from "@/lib/config/env";
import { FailoverClient } from "@/lib/database/failover-client";
import { inService } from "@/lib/database/shards/marks";
import { sql } from "@/lib/database/sql";
import { log } from "@/lib/log";
import { detached } from "@/lib/request-context";
import { loop } from "@/lib/work/loop";
import { processSingleton } from "@/lib/work/process-singleton";
import { later } from "@/lib/work/timer-registry";
import { writeBehind } from "@/lib/work/write-behind";

/**
 * A listener for changes. `missed` means that the connection to the other instances broke, so the
 * listener may have missed any change.
 */
type Listener = (missed: boolean) => void;

/**
 * Pub/sub for owners' changes. Reaches listeners in this process directly, and other instances
 * through Postgres NOTIFY. Messages carry only an owner ID and listeners read the state again, so a
 * lost message delays a reader but never causes wrong data.
 */
type Hub = {
  /** This instance's ID, by which it ignores its own NOTIFY messages. */
  copy: string;
  listeners: Map<string, Set<Listener>>;
  /** Listeners for all changes that this instance publishes. */
  ofAll: Set<(ownerId: string) => void>;
  /**
   * The owners whose changes the next NOTIFY will send to the other instances. They collect here
   * while a NOTIFY is in progress.
   */
  waiting: Set<string>;
  client?: pg.Client | undefined;
  /** Reconnects the listener. Set while this instance listens. */
  relisten?: (() => void) | undefined;
  /** Called when this instance's message to itself arrives. */
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
const notifying = processSingleton("notifying other instances", () =>
  writeBehind({ every: debounceMs, problem: "could not notify other instances", write: notify }),
);

const checking = processSingleton("checking for lost messages", () =>
  loop({
    intervalMs: checkMs,
    failureMessage: "could not check for lost messages; changes from other instances may be up to 20 seconds late",
    run: () => probeNotify(),
  }),
);

/** Whether NOTIFY messages arrive, according to the last check. For monitoring. */
export type NotifyHealth = {
  /**
   * The time from a NOTIFY by this process until its own listener receives the message, in
   * milliseconds. Undefined before the first check and after a loss.
   */
  roundTripMs: number | undefined;
  /** How many of its messages to itself this process has lost since it started. */
  lost: number;
};
export const notifyHealth = processSingleton<NotifyHealth>("news arrival", () => ({ roundTripMs: undefined, lost: 0 }));

const channel = "countersign_news";
/**
 * The interval at which this instance sends a message to itself, and the message's timeout, in
 * milliseconds.
 */
const [checkMs, echoMs] = [60_000, 5000];
/**
 * How long to collect changes before a NOTIFY, in milliseconds. Listeners in this process do not
 * wait for it.
 */
const debounceMs = 5;

/** Subscribes to an owner's changes. @returns a function that unsubscribes */
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
 * Publishes that an owner's data changed, after the commit. Calls listeners in this process
 * immediately. Other instances get a batched NOTIFY outside the transaction, so that commits never
 * queue for Postgres's single notification lock.
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
 * Subscribes to all changes that this instance publishes, for work that only one instance must do.
 * If an instance dies, a scan must find its unfinished work.
 * @returns a function that unsubscribes
 */
export function subscribeToAll(listener: (ownerId: string) => void): () => void {
  hub().ofAll.add(listener);
  return () => hub().ofAll.delete(listener);
}

/**
 * Registers a function that closes a stream. It is called when the service drains, or immediately
 * if the service has already drained.
 * @returns a function that unregisters `close`
 */
export function onDrain(close: () => void): () => void {
  const { closers, closed } = hub();
  if (closed) close();
  else closers.add(close);
  return () => closers.delete(close);
}

/**
 * Closes all streams, sends the pending messages to other instances, and closes the listening
 * connection.
 */
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
    // A transaction with a NOTIFY writes a commit record, but nothing needs to wait for its disk
    // write.
    await inService(() =>
      sql`
      SELECT set_config('synchronous_commit', 'off', true),
        pg_notify(${channel}, ${copy} || ' ' || owner)
      FROM unnest(${owners}::text[]) AS owner`.rows(),
    );
  return waiting.size > 0;
}

/**
 * Sends this instance a message through PostgreSQL. Messages can be lost silently if a pooler
 * reassigns the listening session or a network drops the connection. After a loss, the listener
 * reconnects and all subscribers read again.
 * @param timeoutMs how long to wait for the message, in milliseconds
 * @throws if the message was lost or could not be sent
 */
export async function probeNotify(timeoutMs = echoMs): Promise<void> {
  const it = hub();
  const { relisten } = it;
  if (!relisten) return;
  const began = performance.now();
  const heard = await new Promise<boolean>((resolve, reject) => {
    const timer = setTimeout(resolve, timeoutMs, false).unref();
    it.echoed = () => {
      clearTimeout(timer);
      resolve(true);
    };
    inService(() =>
      sql`
      SELECT set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${it.copy})`.rows(),
    ).catch(reject);
  });
  // If the connection broke in the meantime, the listener reconnects anyway.
  if (it.closed || it.relisten !== relisten) return;
  notifyHealth().roundTripMs = heard ? performance.now() - began : undefined;
  if (heard) return;
  notifyHealth().lost++;
  relisten();
  throw new Error(
    "a NOTIFY from this instance to itself was lost; point DATABASE_DIRECT_URL at PostgreSQL, not at a pooler",
  );
}

/**
 * Opens this instance's only listening connection, and reconnects if it breaks. After a gap, all
 * subscribers read the state again, because messages during the gap are lost.
 */
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
    client = new FailoverClient({
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
    if (!it.closed) log.warn("could not listen for changes; the service will retry", { reason: String(error) });
    lost();
  }
}
