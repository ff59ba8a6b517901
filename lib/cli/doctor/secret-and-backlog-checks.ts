import { backlog as alertBacklog } from "@/lib/alerts/pending-delivery-gauges";
import { clock } from "@/lib/clock";
import type { ServiceSettings } from "@/lib/config/env";
import { inService } from "@/lib/database/shards/marks";
import { type BlockingTransaction, findBlockingTransaction } from "@/lib/events/blocking-transaction";
import { feedLag } from "@/lib/events/event-delay-gauge";
import { checkKeys } from "@/lib/keys/key-check";
import { lastRotation } from "@/lib/keys/retained-keys";
import { withClient } from "@/lib/postgres/with-client";
import type { Gauge } from "@/lib/telemetry/declare-metrics";
import { backlog as webhookBacklog } from "@/lib/webhooks/due-delivery-gauges";
import { sealedRows } from "../all-encrypted-tables";
import { day } from "../command";
import { type KnownSecret, mayBeNew, overlapDays, readKnownSecret, secretFile, wrongSecret } from "../secret-check";
import { type CheckResult, fail, findingsOr, note, ok, spanText } from "./check-result";
import { type Addresses, whence } from "./database-checks";

/**
 * The delays in seconds above which a check fails. They equal the thresholds in
 * docs/operations/alerts.yml.
 */
export const maxSeconds = { feed: 30, webhooks: 300, unread: 60, alerts: 300 };

/** Checks that the secret belongs to this database and decrypts its contents. */
export async function seeSecret(
  settings: ServiceSettings,
  secret: string | undefined,
  { url }: Addresses,
): Promise<CheckResult> {
  if (secret === undefined) {
    await mayBeNew(url);
    return {
      findings: [
        ok(`The service has no secret yet. The first start generates a secret and stores it in ${secretFile()}.`),
      ],
    };
  }
  const known = await inService(readKnownSecret);
  if (known === "other") throw wrongSecret(whence(settings));
  await checkKeys(sealedRows);
  if (settings.SECRET_PREVIOUS) return { findings: [note(await overlap(known))] };
  return {
    findings: [ok(`${whence(settings)} matches this database. The configured keys decrypt all stored secrets.`)],
  };
}

/** Returns the operator's next step while SECRET_PREVIOUS is set. */
async function overlap(known: KnownSecret | undefined): Promise<string> {
  if (known === "previous")
    return 'The database still depends on SECRET_PREVIOUS. After every instance has the new SECRET, run "secret rotate".';
  const rotated = (await lastRotation())?.getTime() ?? 0;
  const end = rotated + overlapDays * 86_400_000;
  if (end < clock.now())
    return "The database depends on SECRET, and nothing needs SECRET_PREVIOUS. To replace SECRET, swap both values on every instance. Otherwise, unset SECRET_PREVIOUS.";
  return `The database depends on SECRET. Sessions from before ${day(rotated)} still need SECRET_PREVIOUS. Unset SECRET_PREVIOUS after ${day(end)}.`;
}

/** Checks how late events reach apps, and which transaction delays them. */
export async function seeFeed({ owner }: Pick<Addresses, "owner">): Promise<CheckResult> {
  const lagSeconds = await readOne(feedLag);
  // The tables' owner may see more of a blocking transaction than the service's role can.
  const holder = await withClient(owner, findBlockingTransaction);
  if (lagSeconds <= maxSeconds.feed) return { findings: [ok("Events reach apps without delay.")] };
  const late = `No events have reached apps for ${spanText(lagSeconds)}`;
  return {
    findings: [
      fail(
        holder
          ? `${late}. ${because(holder)}`
          : `${late}. The transaction that delayed the events has just ended. Run this command again.`,
      ),
    ],
  };
}

const because = ({ pid, prepared, database, user, application }: BlockingTransaction) =>
  pid === null
    ? `The prepared transaction ${prepared} in database ${database} is still open. Run COMMIT PREPARED or ROLLBACK PREPARED.`
    : `${application ? `The program ${application}` : "A program"} (role ${user}, database ${database}) keeps a transaction open. End the transaction with SELECT pg_terminate_backend(${pid}).`;

/** Checks how far webhooks are behind, and at which endpoints. */
export async function seeWebhooks(): Promise<CheckResult> {
  const [pending, oldest, endpoints, unread] = await Promise.all(webhookBacklog.map(async (gauge) => gauge.read()));
  const [pendingNow, oldestDueSeconds, unreadEventSeconds] = [single(pending), single(oldest), single(unread)];
  const [worst] = endpoints ?? [];
  return {
    findings: findingsOr(
      [
        oldestDueSeconds > maxSeconds.webhooks &&
          fail(
            `The oldest webhook delivery has been overdue for ${spanText(oldestDueSeconds)}. The webhook ${worst?.[0]} is furthest behind (due deliveries: ${worst?.at(-1)}). Check that its endpoint responds ("webhook test ${worst?.[0]}") and that an instance is running.`,
          ),
        unreadEventSeconds > maxSeconds.unread &&
          fail(
            `The oldest event that is not yet queued for webhooks is ${spanText(unreadEventSeconds)} old. Check that an instance is running, and read the finding "Feed".`,
          ),
      ],
      `Pending deliveries: ${pendingNow}. None is overdue.`,
    ),
  };
}

/** Checks how far alerts are behind. */
export async function seeAlerts(): Promise<CheckResult> {
  const [pending, oldest] = await Promise.all(alertBacklog.map(async (gauge) => gauge.read()));
  const [pendingNow, oldestDueSeconds] = [single(pending), single(oldest)];
  return {
    findings: findingsOr(
      [
        oldestDueSeconds > maxSeconds.alerts &&
          fail(
            `The oldest message to a browser or alert channel has been overdue for ${spanText(oldestDueSeconds)}. Check that an instance is running and can reach the internet.`,
          ),
      ],
      `Pending messages: ${pendingNow}. None is overdue.`,
    ),
  };
}

const single = (values: Awaited<ReturnType<Gauge["read"]>> | undefined) => values?.[0]?.at(-1) as number;
const readOne = async (gauge: Gauge) => single(await gauge.read());

/**
 * Checks the metrics of the instance that runs here.
 * @param text the metrics in Prometheus format
 */
export function seeMetrics(text: string, now = clock.now() / 1000): CheckResult {
  const of = (name: string, labels = "") =>
    [...text.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)`, "gm"))]
      .filter(([, given = ""]) => given.includes(labels))
      .map(([, , value]) => Number(value));
  const sum = (name: string, labels?: string) => of(name, labels).reduce((total, value) => total + value, 0);
  const chores = of("countersign_chore_last_success_timestamp_seconds");
  const oldestChoreSeconds = chores.length > 0 ? now - Math.min(...chores) : 0;
  const faults = sum("countersign_http_requests_total", 'status="500"');
  return {
    findings: findingsOr(
      [
        sum("countersign_notify_lost_messages") > 0 &&
          fail(
            "Messages between instances were lost, so updates were up to 20 seconds late. If a connection pooler is in use, set DATABASE_DIRECT_URL to PostgreSQL's own address.",
          ),
        oldestChoreSeconds > 1200 &&
          fail(
            `A background task last succeeded ${spanText(oldestChoreSeconds)} ago. Search the log for "a chore failed".`,
          ),
        sum("countersign_db_pool_waiting") > 0 &&
          note(
            "Requests are waiting for a database connection. If requests keep waiting, raise DATABASE_POOL or find slow statements.",
          ),
        faults > 0 &&
          note(
            `Requests that failed with an internal error (HTTP 500): ${faults}. Search the log for lines with the level "error".`,
          ),
      ],
      `Requests since startup: ${sum("countersign_http_requests_total")}. None failed with an internal error.`,
    ),
  };
}
