import { randomUUID } from "node:crypto";
import { clock } from "@/lib/clock";
import { log } from "@/lib/log";
import { agentPool, type KeptConnections } from "@/lib/net/http-agent-pool";
import { pausePoint } from "@/lib/pause-points";
import { counter, histogram } from "@/lib/telemetry/declare-metrics";
import { failureReporter } from "@/lib/work/failure-reporter";
import { retry } from "@/lib/work/retry";
import { type Worker, worker } from "@/lib/work/worker";
import { endpointWindows, remembered } from "./endpoint-windows";
import { type DueDelivery, leaseDue, releaseLease, renewLeases, renewMs } from "./lease-deliveries";
import { attemptRecorder, cancelDelivery, disableEndpoint } from "./record-attempt";
import { Stopped, send } from "./send-webhook";

/** The maximum number of concurrent attempts on this instance, for each database. */
const concurrency = 256;
/**
 * The pause after each query for due deliveries, in milliseconds. Attempts that end during the
 * pause make room for a larger batch.
 */
const restMs = 2;
/**
 * The pause after a refused attempt, in milliseconds. Otherwise, a worker that counts differently
 * could lease the delivery again and again.
 */
const refusedMs = 50;
/** How long running attempts may take after this instance begins to stop, in milliseconds. */
const leaveMs = 5000;
/**
 * The delays between attempts to record a result while the database is busy, in milliseconds.
 * Without the record, the event would be sent again.
 */
const pauses = [250, 500, 750];

/**
 * A sender: the ID that its leases carry, its recorder of attempts, and the connections that it
 * keeps open, if any.
 */
type Sender = { lease: string; record: ReturnType<typeof attemptRecorder>; kept?: KeptConnections };
const newSender = (): Sender => {
  const lease = randomUUID();
  return { lease, record: attemptRecorder(lease) };
};

const attempts = counter("countersign_webhook_attempts_total", "Webhook delivery attempts, by outcome.", "outcome");
const durations = histogram(
  "countersign_webhook_attempt_duration_seconds",
  "Duration in seconds of each webhook delivery attempt, by outcome.",
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  "outcome",
);

/**
 * Starts a worker that sends due deliveries. Instances share the deliveries through leases, so that
 * no attempt is made twice. When the worker stops, it waits a few seconds for running attempts,
 * then cancels them and releases their leases.
 * @param shared the windows of this instance's workers
 */
export function startDeliveryWorker(shared = endpointWindows()): Worker {
  const windows = shared.join(() => sending.wake());
  const sender = { ...newSender(), kept: agentPool(remembered.places) };
  const { lease } = sender;
  const sending = worker<DueDelivery>(
    {
      ...{ concurrency, cooldownMs: restMs, shutdownGraceMs: leaveMs },
      ownerOf: ({ ownerId }) => ownerId,
      take: (room) => leaseDue(lease, { max: room, windows: windows.sizes() }),
      run: async (delivery, stopping) => {
        const pass = windows.begin(delivery);
        if (!pass) return putBack(lease, delivery);
        await attempt(sender, delivery, stopping, pass.settle).finally(pass.release);
      },
      renew: { every: renewMs, run: (underWay) => renewLeases(lease, underWay) },
    },
    failureReporter("could not send webhooks; the service will retry"),
  );
  const stop = () => {
    windows.leave();
    return sending.stop();
  };
  return { ...sending, stop };
}

async function putBack(lease: string, { id }: DueDelivery): Promise<void> {
  await releaseLease(lease, id);
  await clock.pause(refusedMs);
}

type Answered = (well: boolean) => void;

async function attempt(
  sender: Sender,
  delivery: DueDelivery,
  stopping: AbortSignal,
  answered: Answered,
): Promise<void> {
  try {
    await deliver(sender, delivery, stopping, answered);
  } catch (error) {
    if (error instanceof Stopped) await releaseLease(sender.lease, delivery.id).catch(() => {});
    // Keeps the lease. After it expires, the delivery is sent again.
    else log.warn("could not record the result of a webhook", { reason: String(error) });
  }
}

async function deliver(
  { lease, record, kept }: Sender,
  delivery: DueDelivery,
  stopping: AbortSignal,
  answered: Answered,
) {
  await pausePoint("delivery leased, not sent");
  if (!delivery.wanted) return void (await cancelDelivery(lease, delivery.id));
  const began = clock.elapsed();
  const result = await send(delivery, stopping, kept);
  const ms = clock.elapsed() - began;
  await pausePoint("delivery sent, not recorded");
  attempts([result.how]);
  durations([result.how], ms / 1000);
  if (result.how !== "unsigned") {
    answered(result.how === "delivered");
    return retry(() => record(delivery, result, ms), pauses);
  }
  await cancelDelivery(lease, delivery.id);
  await disableEndpoint(delivery.endpointId, "secret");
}

/**
 * Makes a delivery's next attempt immediately, unless another sender has leased the delivery. Used
 * by the operator's commands.
 */
export async function deliverNow(id: string): Promise<void> {
  const sender = newSender();
  const [delivery] = await leaseDue(sender.lease, { max: 1, only: id });
  if (!delivery) return;
  const renewing = clock.setInterval(() => void renewLeases(sender.lease, [delivery]).catch(() => {}), renewMs);
  await deliver(sender, delivery, new AbortController().signal, () => {}).finally(() => clearInterval(renewing));
}
