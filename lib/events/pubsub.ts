import { onOwnersMoved, shardOfOwner } from "@/lib/database/shards/each-shard";
import { currentStart, detached } from "@/lib/request-context";
import { processSingleton } from "@/lib/work/process-singleton";
import { common, messages, type NotifyHealth } from "./shard-messages";

/**
 * A listener for changes. `missed` means that the connection to the other instances broke, so the
 * listener may have missed any change.
 */
type Listener = (missed: boolean) => void;

/**
 * Pub/sub for owners' changes. Reaches listeners in this process directly, and other instances
 * through NOTIFY in the owner's shard. Messages carry only an owner ID and listeners read the state
 * again, so a lost message delays a reader but never causes wrong data.
 */
type Hub = {
  listeners: Map<string, Set<Listener>>;
  /** Listeners for all changes that this instance publishes. */
  ofAll: Set<(ownerId: string) => void>;
  closers: Set<() => void>;
};

const hub = processSingleton<Hub>("hub", () => {
  const listeners: Hub["listeners"] = new Map();
  Object.assign(common(), {
    receive: (topic: string) => wake(topic),
    missed: (shard: number) => wakeMissed((owner) => shardOfOwner(owner) === shard),
  });
  // The listeners of moved owners may have missed messages, and must listen to the new shard.
  onOwnersMoved((hasMoved) => {
    for (const owner of [...listeners.keys()].filter(hasMoved)) {
      listen(owner);
      wake(owner, true);
    }
  });
  return { listeners, ofAll: new Set(), closers: new Set() };
});

/**
 * The topic of messages about the placement of homes on shards. The directory sends them
 * (`count_placement_change`).
 */
export const placementTopic = "placement";

/** Returns whether NOTIFY messages arrive, on the shard with the worst result. */
export function notifyHealth(): NotifyHealth {
  const shards = [...messages.all()];
  const listening = shards.length > 1 ? shards.filter(({ client }) => client) : shards;
  const all = listening.map(({ health }) => health);
  if (all.length < 2) return all[0] ?? { roundTripMs: undefined, lost: 0 };
  const trips = all.map(({ roundTripMs }) => roundTripMs);
  return {
    roundTripMs: trips.includes(undefined) ? undefined : Math.max(...(trips as number[])),
    lost: all.reduce((sum, { lost }) => sum + lost, 0),
  };
}

/**
 * Subscribes to an owner's changes, or to another topic of the directory.
 * @returns a function that unsubscribes
 */
export function subscribe(ownerId: string, listener: Listener): () => void {
  const { listeners } = hub();
  const own = listeners.get(ownerId) ?? new Set();
  listeners.set(ownerId, own.add(listener));
  listen(ownerId);
  return () => {
    own.delete(listener);
    if (own.size === 0 && listeners.get(ownerId) === own) listeners.delete(ownerId);
  };
}

const listen = (ownerId: string) => detached(() => void messages.ofOwner(ownerId).listen());

/**
 * Publishes that an owner's data changed, after the commit. Calls listeners in this process
 * immediately. Other instances get a batched NOTIFY outside the transaction, so that commits never
 * queue for Postgres's single notification lock.
 */
export function publish(ownerId: string): void {
  detached(() => {
    wake(ownerId);
    for (const listener of hub().ofAll) listener(ownerId);
    messages.ofOwner(ownerId).send(ownerId);
  });
}

/**
 * Subscribes to all changes that this instance publishes, for work that only one instance must do.
 * If an instance dies, a scan must find its unfinished work. In the background work of a shard, the
 * listener is called only for the shard's owners.
 * @returns a function that unsubscribes
 */
export function subscribeToAll(listener: (ownerId: string) => void): () => void {
  const of = currentStart()?.destination;
  const own = (ownerId: string) => {
    if (typeof of !== "object" || !("shard" in of) || shardOfOwner(ownerId) === of.shard) listener(ownerId);
  };
  hub().ofAll.add(own);
  return () => hub().ofAll.delete(own);
}

/**
 * Registers a function that closes a stream. It is called when the service drains, or immediately
 * if the service has already drained.
 * @returns a function that unregisters `close`
 */
export function onDrain(close: () => void): () => void {
  const { closers } = hub();
  if (common().closed) close();
  else closers.add(close);
  return () => closers.delete(close);
}

/**
 * Closes all streams, sends the pending messages to other instances, and closes the listening
 * connections.
 */
export async function closePubsub(): Promise<void> {
  const { closers } = hub();
  common().closed = true;
  for (const close of closers) close();
  closers.clear();
  await Promise.all([...messages.all()].map((shard) => shard.close()));
}

/**
 * Sends this instance a message through each shard that it listens to.
 * @throws if a message was lost or could not be sent
 */
export async function probeNotify(timeoutMs?: number): Promise<void> {
  await Promise.all([...messages.all()].map((shard) => shard.probe(timeoutMs)));
}

const wake = (ownerId: string, missed = false) => {
  for (const listener of hub().listeners.get(ownerId) ?? []) listener(missed);
};
const wakeMissed = (concerns: (ownerId: string) => boolean) => {
  for (const owner of [...hub().listeners.keys()]) if (concerns(owner)) wake(owner, true);
};
