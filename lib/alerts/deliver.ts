import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { log } from "@/lib/log";
import { counter } from "@/lib/telemetry/metrics";
import { congestionWindows } from "@/lib/work/congestion-window";
import { failureReporter } from "@/lib/work/failure-reporter";
import { type Worker, worker } from "@/lib/work/worker";
import { notifyMissed, recordFailure, recordSent } from "./channels/health";
import type { ChannelResult } from "./channels/schema";
import { openChannel } from "./channels/sealing";
import { recordDelivered, sendTo } from "./devices";
import { messageFor } from "./message";
import { offerOf } from "./one-tap";
import type { PushResult } from "./push";
import type { AlertOffer, ShowMessage } from "./schema";
import { type DueMessage, fullPlaces, most, takeDue, windowOfOne } from "./take";

/** The maximum number of services in the health cache, and their lifetime (milliseconds). */
const remembered = { places: 1000, forget: 60_000 };
const mostAttempts = 8;
/** The longest wait a service can ask for, in seconds. */
const longestWait = 3600;

const attempts = counter(
  "countersign_alert_attempts_total",
  "Messages sent to browsers and alert channels, by outcome.",
  ...["kind", "outcome"],
);

/**
 * Creates the sender of due deliveries. Instances share the work: one leases each delivery, and
 * another takes over only if the first reports no result within a minute.
 */
export function startDeliveries(): Worker {
  const windows = congestionWindows({ ...windowOfOne, ...remembered });
  const underWay = new Set<DueMessage>();
  return worker<DueMessage>(
    {
      most,
      take: (room) => takeDue(fullPlaces(underWay, windows.sizes(), room)),
      run: async (it) => {
        const pass = windows.acquire(it.service);
        underWay.add(it);
        await deliver(it, pass.settle).finally(() => {
          underWay.delete(it);
          pass.release();
        });
      },
    },
    failureReporter("alerts could not be sent; will retry"),
  );
}

/** Sends every due delivery, until none is due. */
export async function deliverAlerts(): Promise<void> {
  const deliveries = startDeliveries();
  deliveries.wake();
  await deliveries.idle();
}

/** @param answered receives whether the service accepted the message */
async function deliver(it: DueMessage, answered: (well: boolean) => void): Promise<void> {
  const over = it.kind === "show" && it.count === 0;
  const inBrowser = it.target_kind === "browser";
  // A browser would close a newer notification with the same tag instead.
  const another = it.kind === "close" && it.replaced && inBrowser;
  if (!it.wanted || over || another) return end(it, "dropped");
  const result = inBrowser ? await push(it) : await tellChannel(it);
  attempts([it.target_kind, result.how]);
  answered(result.how !== "later");
  if (result.how === "sent") return end(it, "sent", "receipt" in result ? result.receipt : undefined);
  if (result.how === "gone") {
    await db.pushSubscription.deleteMany({ where: { id: it.target } });
    return;
  }
  const last = result.how === "refused" || it.attempts >= mostAttempts;
  if (last) await end(it, result.how === "refused" ? "refused" : "dropped");
  else await again(it, Math.min(longestWait, result.wait ?? backOff(it.attempts)));
  // A message that cannot be withdrawn was delivered nevertheless.
  if (!("problem" in result) || it.kind === "close") return;
  await recordFailure(it.target, result.problem);
  if (last) await notifyMissed(it.target);
}

async function push(it: DueMessage): Promise<PushResult> {
  const { pending } = await readLiveCounts({ kind: "owner", ownerId: it.owner_id, session: "" });
  const shown = shownMessage(it, pending);
  const message = it.kind === "close" || !shown ? { close: it.tag, app_badge: pending } : shown;
  const result = await sendTo({ id: it.target, sealed: it.sealed }, message).catch((error): PushResult => {
    log.info("could not connect to a push service", { reason: String(error) });
    return { how: "later", status: 0 };
  });
  if (result.how === "refused") log.warn("a push service rejected a message", { status: result.status });
  return result;
}

/** The message as a browser would show it. */
function shownMessage(it: DueMessage, pending: number): ShowMessage | undefined {
  const { first, left } = it;
  const offer = offered(it);
  return first
    ? messageFor(
        { ...it, first, ...(offer && { offer }), ...(left !== null && { leftMs: left }) },
        it.lock_screen,
        pending,
      )
    : undefined;
}

const offered = ({ one_tap, alert_id: alertId, target }: DueMessage): AlertOffer | undefined =>
  one_tap ? offerOf(one_tap, { alertId, target }) : undefined;

async function tellChannel(it: DueMessage): Promise<ChannelResult> {
  const { alert_id: id, target, target_kind: kind, owner_id: ownerId, sealed, key, app, about, count, receipt } = it;
  if (kind === "browser" || !key) return { how: "sent" };
  const channel = openChannel({ id: target, ownerId, kind }, { sealed, key });
  if ("how" in channel) return channel;
  const shown = it.kind === "show" ? shownMessage(it, 0) : undefined;
  const end = { id, app, about, receipt, replaced: it.replaced, ...(it.ending && { ending: it.ending }) };
  if (!shown) return (await channel.withdraw?.(end)) ?? { how: "sent" };
  const { title, body, navigate: link } = shown.notification;
  const offer = offered(it);
  return channel.show(
    { id, app, about, count, title, body, link, urgent: it.left !== null },
    { channel: target, receipt, ...(offer && { offer }) },
  );
}

/**
 * 5 s, 20 s, 80 s and so on up to an hour, with jitter, so that deliveries that failed together do
 * not retry together.
 */
const backOff = (attempts: number): number => Math.min(3600, 5 * 4 ** (attempts - 1)) * (0.8 + 0.4 * Math.random());

async function end(it: DueMessage, outcome: "sent" | "dropped" | "refused", receipt?: string) {
  await sql`
    UPDATE alert_delivery
    SET ended_at = now(), outcome = ${outcome}, receipt = coalesce(${receipt ?? null}, receipt)
    WHERE ${isOurs(it)}`.run();
  if (outcome === "sent" && it.kind === "show")
    await (it.target_kind === "browser" ? recordDelivered : recordSent)(it.target);
}

const again = (it: DueMessage, seconds: number) =>
  sql`
    UPDATE alert_delivery
    SET due_at = now() + make_interval(secs => ${seconds})
    WHERE ${isOurs(it)}`.run();

/** Whether the delivery has not been leased since, and has not ended. */
const isOurs = ({ alert_id, target, kind, attempts }: DueMessage) => sql`alert_id = ${alert_id}
  AND subscription_id = ${target}
  AND kind = ${kind}
  AND attempts = ${attempts}
  AND ended_at IS NULL`;
