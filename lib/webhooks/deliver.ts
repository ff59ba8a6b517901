import { randomUUID } from "node:crypto";
import { log } from "@/lib/log";
import { agentPool, type KeptConnections } from "@/lib/net/agent-pool";
import { counter, histogram } from "@/lib/telemetry/metrics";
import { congestionWindows } from "@/lib/work/congestion-window";
import { failureReporter } from "@/lib/work/failure-reporter";
import { retry } from "@/lib/work/retry";
import { type Worker, worker } from "@/lib/work/worker";
import { type DueDelivery, endpointWindow, leaseDue, releaseLease, renewLeases, renewMs } from "./lease";
import { attemptRecorder, cancelDelivery, disableEndpoint } from "./record-attempt";
import { Stopped, send } from "./send";

/** Most attempts under way on this copy. */
const most = 256;
/** What ends within so many milliseconds makes room for what is taken together. */
const restMs = 2;
/** How many endpoints are remembered, and for how long. */
const remembered = { places: 1000, forget: 60_000 };
/** How long attempts under way may still take when this copy is to stop. */
const leaveMs = 5000;
/** A busy database is asked again: what was sent and is not written down would be sent twice. Milliseconds. */
const pauses = [250, 500, 750];

/** Who sends: whose leases they are, and how what came of an attempt is written down. `kept`: connections, if any are. */
type Sender = { lease: string; record: ReturnType<typeof attemptRecorder>; kept?: KeptConnections };
const newSender = (): Sender => {
  const lease = randomUUID();
  return { lease, record: attemptRecorder(lease) };
};

const attempts = counter(
  "countersign_webhook_attempts_total",
  "Attempts to deliver a webhook, by how they went.",
  "outcome",
);
const durations = histogram(
  "countersign_webhook_attempt_duration_seconds",
  "Time that receivers took over a webhook, whatever they answered.",
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  "outcome",
);

/**
 * Ready to send what is due. Several copies share the work: each attempt is made by one. Told to stop, it lets what is under way
 * end or breaks it off after seconds, and gives that back.
 */
export function startDeliveryWorker(): Worker {
  const windows = congestionWindows({ ...endpointWindow, ...remembered });
  const sender = { ...newSender(), kept: agentPool(remembered.places) };
  const { lease } = sender;
  return worker<DueDelivery>(
    {
      ...{ most, cooldownMs: restMs, shutdownGraceMs: leaveMs },
      take: (room) => leaseDue(lease, { most: room, windows: windows.sizes() }),
      run: async (it, stopping) => {
        const pass = windows.acquire(it.endpointId);
        await attempt(sender, it, stopping, pass.settle).finally(pass.release);
      },
      renew: { every: renewMs, run: (underWay) => renewLeases(lease, underWay) },
    },
    failureReporter("webhooks could not be sent; will retry"),
  );
}

type Answered = (well: boolean) => void;

async function attempt(sender: Sender, it: DueDelivery, stopping: AbortSignal, answered: Answered): Promise<void> {
  try {
    await deliver(sender, it, stopping, answered);
  } catch (error) {
    if (error instanceof Stopped) await releaseLease(sender.lease, it.id).catch(() => {});
    // Its lease ends by itself, and then it is sent again.
    else log.warn("the result of a webhook could not be recorded", { reason: String(error) });
  }
}

async function deliver({ lease, record, kept }: Sender, it: DueDelivery, stopping: AbortSignal, answered: Answered) {
  if (!it.wanted) return void (await cancelDelivery(lease, it.id));
  const began = performance.now();
  const result = await send(it, stopping, kept);
  const ms = performance.now() - began;
  attempts([result.how]);
  durations([result.how], ms / 1000);
  if (result.how !== "unsigned") {
    answered(result.how === "delivered");
    return retry(() => record(it, result, ms), pauses);
  }
  await cancelDelivery(lease, it.id);
  await disableEndpoint(it.endpointId, "secret");
}

/** Make the next attempt of one delivery now, unless somebody else is at it. For the operator's commands. */
export async function deliverNow(id: string): Promise<void> {
  const sender = newSender();
  const [it] = await leaseDue(sender.lease, { most: 1, only: id });
  if (!it) return;
  const renewing = setInterval(() => void renewLeases(sender.lease, [it]).catch(() => {}), renewMs);
  await deliver(sender, it, new AbortController().signal, () => {}).finally(() => clearInterval(renewing));
}
