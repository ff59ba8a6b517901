import { clock } from "@/lib/clock";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { log } from "@/lib/log";
import { pausePoint } from "@/lib/pause-points";
import { counter } from "@/lib/telemetry/declare-metrics";
import { failureReporter } from "@/lib/work/failure-reporter";
import { type Worker, worker } from "@/lib/work/worker";
import { messageFor } from "./alert-message";
import { notifyMissed, recordFailure, recordSent } from "./channels/channel-health";
import type { ChannelResult } from "./channels/channel-interface";
import { openChannel } from "./channels/credential-encryption";
import { recordDelivered, sendTo } from "./devices";
import { type DueMessage, takeDue } from "./lease-due-messages";
import { offerOf } from "./one-tap-answer";
import type { PushResult } from "./push";
import type { AlertOffer, ShowMessage } from "./push-schema";
import { concurrency, fullPlaces, serviceWindows } from "./service-windows";

const maxAttempts = 8;
/** The longest wait that a service can ask for, in seconds. */
const maxRetryAfterSeconds = 3600;

const attempts = counter(
  "countersign_alert_attempts_total",
  "Attempts to send messages to browsers and alert channels, by kind and outcome.",
  ...["kind", "outcome"],
);

/**
 * Starts a worker that sends due deliveries. Instances share the work: one instance leases each
 * delivery, and another instance leases it only if there is no result within a minute.
 * @param shared the windows of this instance's workers
 */
export function startDeliveries(shared = serviceWindows()): Worker {
  const windows = shared.join(() => sending.wake());
  const underWay = new Set<DueMessage>();
  const sending = worker<DueMessage>(
    {
      concurrency,
      ownerOf: ({ owner_id }) => owner_id,
      take: (room) => takeDue(fullPlaces(underWay, windows, room)),
      run: async (message) => {
        const pass = windows.begin(message);
        if (!pass) return putBack(message);
        underWay.add(message);
        await deliver(message, pass.settle).finally(() => {
          underWay.delete(message);
          pass.release();
        });
      },
    },
    failureReporter("could not send alerts; the service will retry"),
  );
  const stop = () => {
    windows.leave();
    return sending.stop();
  };
  return { ...sending, stop };
}

/** Sends due deliveries until none is left. */
export async function deliverAlerts(): Promise<void> {
  const deliveries = startDeliveries();
  deliveries.wake();
  await deliveries.idle();
  await deliveries.stop();
}

/**
 * Sends a message, or drops one that is no longer needed, and records the result.
 * @param answered is called after an attempt, with false if the message must be sent again later
 */
async function deliver(message: DueMessage, answered: (well: boolean) => void): Promise<void> {
  const over = message.kind === "show" && message.count === 0;
  const inBrowser = message.target_kind === "browser";
  // A withdrawal by tag would also close the newer notification.
  const another = message.kind === "close" && message.replaced && inBrowser;
  await pausePoint("alert leased, not sent");
  if (!message.wanted || over || another) return end(message, "dropped");
  const result = inBrowser ? await push(message) : await tellChannel(message);
  attempts([message.target_kind, result.how]);
  answered(result.how !== "later");
  if (result.how === "sent") return end(message, "sent", "receipt" in result ? result.receipt : undefined);
  if (result.how === "gone") {
    await db.pushSubscription.deleteMany({ where: { id: message.target } });
    return;
  }
  const last = result.how === "refused" || message.attempts >= maxAttempts;
  if (last) await end(message, result.how === "refused" ? "refused" : "dropped");
  else await again(message, Math.min(maxRetryAfterSeconds, result.wait ?? backOff(message.attempts)));
  // A failed withdrawal is not a channel failure, because the message itself was delivered.
  if (!("problem" in result) || message.kind === "close") return;
  await recordFailure(message.target, result.problem);
  if (last) await notifyMissed(message.target);
}

async function push(due: DueMessage): Promise<PushResult> {
  const { pending } = await readLiveCounts({ kind: "owner", ownerId: due.owner_id, session: "" });
  const shown = shownMessage(due, pending);
  const message = due.kind === "close" || !shown ? { close: due.tag, app_badge: pending } : shown;
  const result = await sendTo({ id: due.target, sealed: due.sealed }, message).catch((error): PushResult => {
    log.info("could not connect to a push service", { reason: String(error) });
    return { how: "later", status: 0 };
  });
  if (result.how === "refused") log.warn("a push service rejected a message", { status: result.status });
  return result;
}

/** Returns the message that a browser would show; undefined if nothing in the alert is current. */
function shownMessage(message: DueMessage, pending: number): ShowMessage | undefined {
  const { first, left } = message;
  const offer = offered(message);
  return first
    ? messageFor(
        { ...message, first, ...(offer && { offer }), ...(left !== null && { leftMs: left }) },
        message.lock_screen,
        pending,
      )
    : undefined;
}

const offered = ({ one_tap, alert_id: alertId, target }: DueMessage): AlertOffer | undefined =>
  one_tap ? offerOf(one_tap, { alertId, target }) : undefined;

async function tellChannel(message: DueMessage): Promise<ChannelResult> {
  const { target, target_kind: kind, owner_id: ownerId, sealed, key, receipt, replaced, ending } = message;
  if (kind === "browser" || !key) return { how: "sent" };
  const channel = openChannel({ id: target, ownerId, kind }, { sealed, key });
  if ("how" in channel) return channel;
  const alert = { id: message.alert_id, app: message.app, about: message.about };
  const shown = message.kind === "show" ? shownMessage(message, 0) : undefined;
  if (!shown)
    return (await channel.withdraw?.({ ...alert, receipt, replaced, ...(ending && { ending }) })) ?? { how: "sent" };
  const { title, body, navigate: link } = shown.notification;
  const offer = offered(message);
  return channel.show(
    { ...alert, count: message.count, title, body, link, urgent: message.left !== null },
    { channel: target, receipt, ...(offer && { offer }) },
  );
}

/**
 * Returns the retry delay in seconds: 5, 20, 80 and so on, up to 3,600. Each delay is varied by up
 * to a fifth, so that deliveries that failed together aren't retried together.
 */
const backOff = (attempts: number): number => Math.min(3600, 5 * 4 ** (attempts - 1)) * (0.8 + 0.4 * clock.random());

async function end(message: DueMessage, outcome: "sent" | "dropped" | "refused", receipt?: string) {
  await sql`
    UPDATE alert_delivery
    SET ended_at = now(), outcome = ${outcome}, receipt = coalesce(${receipt ?? null}, receipt)
    WHERE ${isOurs(message)}`.run();
  if (outcome === "sent" && message.kind === "show")
    await (message.target_kind === "browser" ? recordDelivered : recordSent)(message.target);
}

const again = (message: DueMessage, seconds: number) =>
  sql`
    UPDATE alert_delivery
    SET due_at = now() + make_interval(secs => ${seconds})
    WHERE ${isOurs(message)}`.run();

/** Ends the lease of a message that was not sent. The lease does not count as an attempt. */
const putBack = (message: DueMessage) =>
  sql`
    UPDATE alert_delivery
    SET due_at = now(), attempts = attempts - 1
    WHERE ${isOurs(message)}`.run();

/** SQL: whether this message's delivery is still open and still has the same lease (`attempts`). */
const isOurs = ({ owner_id, alert_id, target, kind, attempts }: DueMessage) => sql`
  owner_id = ${owner_id}
  AND alert_id = ${alert_id}
  AND target_id = ${target}
  AND kind = ${kind}
  AND attempts = ${attempts}
  AND ended_at IS NULL`;
