import { backlog as alertBacklog } from "@/lib/alerts/backlog";
import { healthy } from "@/lib/api/health";
import { choreTimestamps } from "@/lib/cli/chores";
import { pool } from "@/lib/database/db";
import { blockingTransactionAge } from "@/lib/events/blocking-transaction";
import { feedLag } from "@/lib/events/lag";
import { notifyHealth } from "@/lib/events/pubsub";
import { openRequests } from "@/lib/request-context";
import type { Gauge } from "@/lib/telemetry/metrics";
import { backlog as webhookBacklog } from "@/lib/webhooks/backlog";
import { coalesce } from "@/lib/work/coalesce";
import packageJson from "@/package.json" with { type: "json" };

/** What a process knows of itself. */
export const ofProcess: readonly Gauge[] = [
  {
    name: "countersign_build_info",
    help: "Which version runs; the value is 1.",
    labels: ["version"],
    read: () => [[packageJson.version, 1]],
  },
  {
    name: "countersign_db_pool_connections",
    help: "Connections to the database that are in use and that are idle.",
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
    help: "The most connections of this process (DATABASE_POOL).",
    labels: [],
    read: () => [[pool().options.max]],
  },
  {
    name: "countersign_db_pool_waiting",
    help: "What waits for a connection to the database.",
    labels: [],
    read: () => [[pool().queued]],
  },
  {
    name: "countersign_notify_round_trip_seconds",
    help: "Time that a message of this process to itself took through PostgreSQL, looked at once a minute; absent while it is lost.",
    labels: [],
    read: () => {
      const { roundTripMs } = notifyHealth();
      return roundTripMs === undefined ? [] : [[roundTripMs / 1000]];
    },
  },
  {
    name: "countersign_notify_lost_messages",
    help: "How many such messages were lost since the process began.",
    labels: [],
    read: () => [[notifyHealth().lost]],
  },
  {
    name: "countersign_held_requests",
    help: "Requests that are kept open: that wait for an answer, apps' event streams, and those of owners' pages.",
    labels: ["kind"],
    read: () => Object.entries(openRequests()),
  },
  choreTimestamps,
];

/** Asked once for all that are read at the same time. */
const looking = coalesce<boolean>(1, 1000);
const isUp = () => looking("", async () => (await healthy(false)).status === 200);

/** What is the same whoever asks the database: one process tells it for all of them. Of one that is away nothing more is asked. */
export const ofDatabase: readonly Gauge[] = [
  {
    name: "countersign_database_up",
    help: "Whether the database answers within a second.",
    labels: [],
    read: async () => [[(await isUp()) ? 1 : 0]],
  },
  ...[feedLag, blockingTransactionAge, ...webhookBacklog, ...alertBacklog].map((gauge) => ({
    ...gauge,
    read: async () => ((await isUp()) ? gauge.read() : []),
  })),
];
