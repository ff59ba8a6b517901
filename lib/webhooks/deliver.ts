import { randomUUID } from "node:crypto";
import { log } from "@/lib/log";
import { counter, histogram } from "@/lib/telemetry/metrics";
import { reportOnce } from "@/lib/work/report-once";
import { retry } from "@/lib/work/retry";
import { type Worker, worker } from "@/lib/work/worker";
import { disableEndpoint, drop, recordAttempt } from "./record-attempt";
import { Stopped, send } from "./send";
import { type DueDelivery, giveBack, renewLeases, renewMs, takeDue } from "./take";

/** Most attempts under way on this copy. */
const most = 60;
/** How long attempts under way may still take when this copy is to stop. */
const leaveMs = 5000;
/** A busy database is asked again: what was sent and is not written down would be sent twice. Milliseconds. */
const pauses = [250, 500, 750];

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
export function startSending(): Worker {
  const lease = randomUUID();
  return worker<DueDelivery>(
    {
      most,
      take: (room) => takeDue(lease, room),
      run: (it, stopping) => attempt(lease, it, stopping),
      renew: { every: renewMs, run: (underWay) => renewLeases(lease, underWay) },
      leave: leaveMs,
    },
    reportOnce("webhooks could not be sent; will retry"),
  );
}

async function attempt(lease: string, it: DueDelivery, stopping: AbortSignal): Promise<void> {
  try {
    await deliver(lease, it, stopping);
  } catch (error) {
    if (error instanceof Stopped) await giveBack(lease, it.id).catch(() => {});
    // Its lease ends by itself, and then it is sent again.
    else log.warn("the result of a webhook could not be recorded", { reason: String(error) });
  }
}

async function deliver(lease: string, it: DueDelivery, stopping: AbortSignal): Promise<void> {
  if (!it.wanted) return void (await drop(lease, it.id));
  const began = performance.now();
  const result = await send(it, stopping);
  const ms = performance.now() - began;
  attempts([result.how]);
  durations([result.how], ms / 1000);
  if (result.how !== "unsigned") return retry(() => recordAttempt(lease, it, result, ms), pauses);
  await drop(lease, it.id);
  await disableEndpoint(it.endpointId, "secret");
}

/** Make the next attempt of one delivery now, unless somebody else is at it. For the operator's commands. */
export async function deliverNow(id: string): Promise<void> {
  const lease = randomUUID();
  const [it] = await takeDue(lease, 1, id);
  if (!it) return;
  const renewing = setInterval(() => void renewLeases(lease, [it]).catch(() => {}), renewMs);
  await deliver(lease, it, new AbortController().signal).finally(() => clearInterval(renewing));
}
