import { type SharedWindows, sharedWindows, type WorkerWindows } from "@/lib/work/shared-windows";

/*
 * An owner's alerts are in the owner's database, so a service such as ntfy can get messages from
 * several databases, each with a worker of its own. The workers of an instance share the services'
 * windows.
 */

/** The maximum number of messages in progress on this instance, for each database. */
export const concurrency = 32;
/**
 * The maximum number of messages that an instance has in progress to one service: `first`
 * initially, and up to `max` while the service responds.
 */
const windowOfOne = { first: 2, max: 12 };
/**
 * The number of free slots at or below which each service may use only `windowOfOne.first`. Other
 * services then still get slots, even if a service with a larger window hangs.
 */
const keptForFirst = 12;
/**
 * The maximum numbers of messages in progress to one owner, to one owner's failing channels, and to
 * all failing channels.
 */
const [maxPerOwner, maxBrokenPerOwner, maxBroken] = [16, 4, 12];
const failingChannels = "failing channels";
/**
 * The maximum number of services whose congestion windows are kept, and how long an unused window
 * is kept, in milliseconds.
 */
const remembered = { places: 1000, forget: 60_000 };

/** `service`: the host. `broken`: whether the destination is a channel whose last message failed. */
type Message = { service: string; owner_id: string; broken: boolean };

export type ServiceWindows = SharedWindows<Message>;

/** Creates the windows of the services to which an instance sends alerts. */
export const serviceWindows = (): ServiceWindows =>
  sharedWindows({
    bounds: { ...windowOfOne, ...remembered },
    placeOf: ({ service }) => service,
    groupLimits: ({ broken }) => (broken ? [{ group: failingChannels, max: maxBroken }] : []),
  });

/** Destinations that currently get no messages. */
export type FullPlaces = {
  /** The hosts of services that currently get no messages. */
  services: string[];
  owners: string[];
  /** Owners whose failing channels currently get no messages. */
  brokenOwners: string[];
  /** Whether no failing channel currently gets messages. */
  broken: boolean;
};

/**
 * Returns the destinations that get no further messages for now, because too many are in progress.
 * A hanging service therefore does not delay the messages to others.
 * @param underWay the worker's messages in progress
 * @param room how many more messages the worker may have in progress
 */
export function fullPlaces(
  underWay: Iterable<Message>,
  windows: Pick<WorkerWindows<Message>, "sizes" | "underWayIn">,
  room: number,
): FullPlaces {
  const all = [...underWay];
  const limitFor = (size: number) => (room > keptForFirst ? size : Math.min(size, windowOfOne.first));
  const ownersWith = (messages: Message[], limit: number) =>
    [...new Set(messages.map((it) => it.owner_id))].filter(
      (owner) => messages.filter((it) => it.owner_id === owner).length >= limit,
    );
  const full = windows.sizes().filter(({ size, underWay }) => underWay >= limitFor(size));
  return {
    services: full.map(({ place }) => place),
    owners: ownersWith(all, maxPerOwner),
    brokenOwners: ownersWith(
      all.filter(({ broken }) => broken),
      maxBrokenPerOwner,
    ),
    broken: windows.underWayIn(failingChannels) >= maxBroken,
  };
}
