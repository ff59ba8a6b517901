import { backlog as alertBacklog } from "@/lib/alerts/pending-delivery-gauges";
import { responds } from "@/lib/api/health";
import { choreTimestamps } from "@/lib/cli/background-chores";
import { openPools } from "@/lib/database/db";
import type { SharedPool } from "@/lib/database/partitioned-pool";
import { inReachableShards } from "@/lib/database/shards/marks";
import { hasSeveralShards, shardNumbered } from "@/lib/database/shards/shard-map";
import { blockingTransactionAge } from "@/lib/events/blocking-transaction";
import { feedLag } from "@/lib/events/event-delay-gauge";
import { notifyHealth } from "@/lib/events/pubsub";
import { openRequests } from "@/lib/request-context";
import type { Gauge, GaugeValue } from "@/lib/telemetry/declare-metrics";
import { backlog as webhookBacklog } from "@/lib/webhooks/due-delivery-gauges";
import { coalesce } from "@/lib/work/coalesce-calls";
import packageJson from "@/package.json" with { type: "json" };

/** Adds the label `shard` to values, if there are several shards. */
const labelled = (values: readonly GaugeValue[], shard: string): readonly GaugeValue[] =>
  hasSeveralShards()
    ? values.map((value) => [...value.slice(0, -1), shard, value.at(-1)] as unknown as GaugeValue)
    : values;

const ofEachPool = (read: (connections: SharedPool) => readonly GaugeValue[]) =>
  openPools().flatMap(({ shard, connections }) => labelled(read(connections), shard));

const ofProcess: readonly Gauge[] = [
  {
    name: "countersign_build_info",
    help: "The running version, as a label. The value is always 1.",
    labels: ["version"],
    read: () => [[packageJson.version, 1]],
  },
  {
    name: "countersign_db_pool_connections",
    help: "Open database connections, in use or idle.",
    labels: ["state", "shard"],
    read: () =>
      ofEachPool(({ totalCount, idleCount }) => [
        ["in_use", totalCount - idleCount],
        ["idle", idleCount],
      ]),
  },
  {
    name: "countersign_db_pool_max_connections",
    help: "The maximum number of connections in this process's database pool (DATABASE_POOL).",
    labels: ["shard"],
    read: () => ofEachPool(({ options }) => [[options.max]]),
  },
  {
    name: "countersign_db_pool_waiting",
    help: "Queries waiting for a database connection.",
    labels: ["shard"],
    read: () => ofEachPool(({ queued }) => [[queued]]),
  },
  {
    name: "countersign_notify_round_trip_seconds",
    help: "Round-trip time, in seconds, of a NOTIFY that this process sends to itself once a minute. The metric is absent while messages are lost.",
    labels: [],
    read: () => {
      const { roundTripMs } = notifyHealth();
      return roundTripMs === undefined ? [] : [[roundTripMs / 1000]];
    },
  },
  {
    name: "countersign_notify_lost_messages",
    help: "NOTIFY messages lost since the process started.",
    labels: [],
    read: () => [[notifyHealth().lost]],
  },
  {
    name: "countersign_held_requests",
    help: "Long polls, app event streams and page streams that are currently open, by kind.",
    labels: ["kind"],
    read: () => Object.entries(openRequests()),
  },
  choreTimestamps,
];

/** The health check of each shard, whose result all gauges of a scrape share. */
const looking = coalesce<boolean>(2, 1000);
const isUp = (shard: number) => looking(`${shard}`, () => responds(shard));

/**
 * Gauges for each database. While the database is down, only the first gauge has a value. If there
 * are several databases, the last label of a value is the shard.
 */
export const ofDatabase: readonly Gauge[] = [
  ofEachShard(
    {
      name: "countersign_database_up",
      help: "1 if the database responds within a second, 0 if not.",
      labels: [],
      read: () => [],
    },
    async (_, shard) => [[(await isUp(shard)) ? 1 : 0]],
  ),
  ...[feedLag, blockingTransactionAge, ...webhookBacklog, ...alertBacklog].map((gauge) =>
    ofEachShard(gauge, async (name, shard) => ((await isUp(shard)) ? gauge.read(name) : [])),
  ),
];

/** Returns a gauge that describes each shard. Its label `shard` is absent if there is one database. */
function ofEachShard(gauge: Gauge, read: (name: string, shard: number) => Promise<readonly GaugeValue[]>): Gauge {
  return {
    ...gauge,
    labels: [...gauge.labels, "shard"],
    read: async () => {
      const values = await inReachableShards(async (shard) => {
        const { name } = shardNumbered(shard);
        return labelled(await read(name, shard), name);
      });
      return values.flat();
    },
  };
}

export const gauges: readonly Gauge[] = [...ofProcess, ...ofDatabase];
