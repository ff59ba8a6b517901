import { backlog as alertBacklog } from "@/lib/alerts/pending-delivery-gauges";
import { healthy } from "@/lib/api/health";
import { choreTimestamps } from "@/lib/cli/background-chores";
import { pool } from "@/lib/database/db";
import { inEveryShard } from "@/lib/database/shards/marks";
import { blockingTransactionAge } from "@/lib/events/blocking-transaction";
import { feedLag } from "@/lib/events/event-delay-gauge";
import { notifyHealth } from "@/lib/events/pubsub";
import { openRequests } from "@/lib/request-context";
import type { Gauge } from "@/lib/telemetry/declare-metrics";
import { backlog as webhookBacklog } from "@/lib/webhooks/due-delivery-gauges";
import { coalesce } from "@/lib/work/coalesce-calls";
import packageJson from "@/package.json" with { type: "json" };

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
    labels: ["state"],
    read: () => {
      const { totalCount, idleCount } = pool();
      return [
        ["in_use", totalCount - idleCount],
        ["idle", idleCount],
      ];
    },
  },
  {
    name: "countersign_db_pool_max_connections",
    help: "The maximum number of connections in this process's database pool (DATABASE_POOL).",
    labels: [],
    read: () => [[pool().options.max]],
  },
  {
    name: "countersign_db_pool_waiting",
    help: "Queries waiting for a database connection.",
    labels: [],
    read: () => [[pool().queued]],
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

/** The health check, whose result all gauges of a scrape share. */
const looking = coalesce<boolean>(1, 1000);
const isUp = () => looking("", async () => (await healthy(false)).status === 200);

/** Gauges for the database. While the database is down, only the first gauge has a value. */
export const ofDatabase: readonly Gauge[] = [
  {
    name: "countersign_database_up",
    help: "1 if the database responds within a second, 0 if not.",
    labels: [],
    read: async () => [[(await isUp()) ? 1 : 0]],
  },
  ...[feedLag, blockingTransactionAge, ...webhookBacklog, ...alertBacklog].map((gauge) => ({
    ...gauge,
    // With several shards, these gauges need the sum or the maximum.
    read: async () => ((await isUp()) ? (await inEveryShard(async () => gauge.read())).flat() : []),
  })),
];

export const gauges: readonly Gauge[] = [...ofProcess, ...ofDatabase];
