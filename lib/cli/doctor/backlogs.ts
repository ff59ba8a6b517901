import { backlog as alertBacklog } from "@/lib/alerts/backlog";
import type { ServiceSettings } from "@/lib/config/env";
import { type BlockingTransaction, findBlockingTransaction } from "@/lib/events/blocking-transaction";
import { feedLag } from "@/lib/events/lag";
import { checkKeys } from "@/lib/keys/key-check";
import { withClient } from "@/lib/postgres/with-client";
import type { Gauge } from "@/lib/telemetry/metrics";
import { backlog as webhookBacklog } from "@/lib/webhooks/backlog";
import { sealedRows } from "../sealed";
import { isKnownSecret, mayBeNew, secretFile, wrongSecret } from "../secret-check";
import { type Addresses, whence } from "./database";
import { type CheckResult, fail, findingsOr, note, ok, spanText } from "./report";

/** What may pass before somebody should look, in seconds: as in docs/operations/alerts.yml. */
export const most = { feed: 30, webhooks: 300, unread: 60, alerts: 300 };

/** Whether the secret is the one that this database was used with, and opens what is kept in it. */
export async function seeSecret(
  settings: ServiceSettings,
  secret: string | undefined,
  { url }: Addresses,
): Promise<CheckResult> {
  if (secret === undefined) {
    await mayBeNew(url);
    return { findings: [ok(`None yet: the first start makes one and keeps it in ${secretFile()}.`)] };
  }
  if ((await isKnownSecret()) === false) throw wrongSecret(whence(settings));
  await checkKeys(sealedRows);
  return {
    findings: [ok(`${whence(settings)} fits this database, and what is encrypted in it opens.`)],
  };
}

/** How late apps hear of what happened, and who is to blame. */
export async function seeFeed({ owner }: Addresses): Promise<CheckResult> {
  const lagSeconds = await readOne(feedLag);
  // The owner of the tables may see more of it than the service's role.
  const holder = await withClient(owner, findBlockingTransaction);
  const numbers = { lagSeconds, holderSeconds: holder?.seconds ?? 0 };
  if (lagSeconds <= most.feed) return { findings: [ok("Apps hear of events at once.")], numbers };
  const late = `Apps have not been told of events for ${spanText(lagSeconds)}`;
  return {
    findings: [
      fail(holder ? `${late}, ${because(holder)}.` : `${late}; whoever held them up has just ended: look again.`),
    ],
    numbers,
  };
}

const because = ({ pid, prepared, database, user, application }: BlockingTransaction) =>
  pid === null
    ? `since the prepared transaction ${prepared} of database ${database} waits for its end: COMMIT PREPARED or ROLLBACK PREPARED it`
    : `since ${application || "a program"} (role ${user}, database ${database}) keeps a transaction open: end it with SELECT pg_terminate_backend(${pid})`;

/** How far webhooks are behind, and to whom. */
export async function seeWebhooks(): Promise<CheckResult> {
  const [pending, oldest, endpoints, unread] = await Promise.all(webhookBacklog.map(async (gauge) => gauge.read()));
  const [pendingNow, oldestDueSeconds, unreadEventSeconds] = [single(pending), single(oldest), single(unread)];
  const [worst] = endpoints ?? [];
  return {
    findings: findingsOr(
      [
        oldestDueSeconds > most.webhooks &&
          fail(
            `Deliveries have been due for ${spanText(oldestDueSeconds)}, ${worst?.at(-1)} of them at ${worst?.[0]}: see whether it answers ("webhook test ${worst?.[0]}") and a copy runs.`,
          ),
        unreadEventSeconds > most.unread &&
          fail(
            `Events have not been turned into deliveries for ${spanText(unreadEventSeconds)}: see whether a copy runs, and "Feed".`,
          ),
      ],
      `${pendingNow} pending, none overdue.`,
    ),
    numbers: { pending: pendingNow, oldestDueSeconds, unreadEventSeconds },
  };
}

/** How far alerts are behind. */
export async function seeAlerts(): Promise<CheckResult> {
  const [pending, oldest] = await Promise.all(alertBacklog.map(async (gauge) => gauge.read()));
  const [pendingNow, oldestDueSeconds] = [single(pending), single(oldest)];
  return {
    findings: findingsOr(
      [
        oldestDueSeconds > most.alerts &&
          fail(
            `Messages to browsers and alert channels have been due for ${spanText(oldestDueSeconds)}: see whether a copy runs and reaches the internet.`,
          ),
      ],
      `${pendingNow} pending, none overdue.`,
    ),
    numbers: { pending: pendingNow, oldestDueSeconds },
  };
}

const single = (values: Awaited<ReturnType<Gauge["read"]>> | undefined) => values?.[0]?.at(-1) as number;
const readOne = async (gauge: Gauge) => single(await gauge.read());

/** What is asked of the metrics of a copy that runs here. @param text as Prometheus reads it */
export function seeMetrics(text: string, now = Date.now() / 1000): CheckResult {
  const of = (name: string, labels = "") =>
    [...text.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)`, "gm"))]
      .filter(([, given = ""]) => given.includes(labels))
      .map(([, , value]) => Number(value));
  const sum = (name: string, labels?: string) => of(name, labels).reduce((total, value) => total + value, 0);
  const chores = of("countersign_chore_last_success_timestamp_seconds");
  const numbers = {
    requests: sum("countersign_http_requests_total"),
    faults: sum("countersign_http_requests_total", 'status="500"'),
    unavailable: sum("countersign_http_requests_total", 'status="503"'),
    heldOpen: sum("countersign_held_requests"),
    databaseConnections: sum("countersign_db_pool_connections", 'state="in_use"'),
    waitingForConnections: sum("countersign_db_pool_waiting"),
    lostNews: sum("countersign_notify_lost_messages"),
    eventLoopLagMilliseconds: 1000 * Math.max(0, ...of("nodejs_eventloop_lag_p99_seconds")),
    memoryBytes: sum("process_resident_memory_bytes"),
    oldestChoreSeconds: chores.length > 0 ? Math.max(0, now - Math.min(...chores)) : 0,
  };
  return {
    findings: findingsOr(
      [
        numbers.lostNews > 0 &&
          fail(
            "News between copies was lost, and came up to 20 seconds late: let DATABASE_DIRECT_URL lead to PostgreSQL without a pooler.",
          ),
        numbers.oldestChoreSeconds > 1200 &&
          fail(
            `Repeated work was last done ${spanText(numbers.oldestChoreSeconds)} ago: look for "a chore failed" in the log.`,
          ),
        numbers.waitingForConnections > 0 &&
          note(
            "Requests wait for a connection to the database: if that lasts, raise DATABASE_POOL or find slow statements.",
          ),
        numbers.faults > 0 &&
          note(`${numbers.faults} requests failed by a fault of ours (500): look for their X-Request-Id in the log.`),
      ],
      `${numbers.requests} requests since it began, none failed by a fault of ours.`,
    ),
    numbers,
  };
}
