import { db } from "@/lib/database/db";
import { onEachShard } from "@/lib/database/shards/each-shard";
import { startDeliveryWorker } from "@/lib/webhooks/delivery-worker";
import { fanOut } from "@/lib/webhooks/fan-out";
import type { Worker } from "@/lib/work/worker";
import { atEveryShard } from "./shards/at-every-shard";

/**
 * Creates the webhook deliveries for all events. Waits for events that another test's open
 * transaction delays.
 */
export const turnAll = (): Promise<void> => atEveryShard(turnAllHere);

async function turnAllHere(): Promise<void> {
  for (;;) {
    const { more, unsettled, busy } = await fanOut();
    if (!more && !unsettled && !busy) return;
    await new Promise((resolve) => setTimeout(resolve, more ? 0 : 20));
  }
}

/** Creates the deliveries for all events, and sends deliveries until none is due. */
export async function sendAll(): Promise<void> {
  await turnAll();
  const sending = sendOnEveryShard();
  do await sending.round();
  while (await someDue());
  await sending.stop();
}

/** Starts a worker on each shard. A round sends the deliveries that are due. */
export function sendOnEveryShard(): { round(): Promise<unknown>; stop(): Promise<void> } {
  const workers: Worker[] = [];
  const stop = onEachShard(() => {
    const worker = startDeliveryWorker();
    workers.push(worker);
    return worker.stop;
  });
  const round = () => {
    for (const worker of workers) worker.wake();
    return Promise.all(workers.map((worker) => worker.idle()));
  };
  return { round, stop };
}

/**
 * Whether a delivery is due within 20 milliseconds. The margin allows for rounded times and small
 * differences between clocks.
 */
const someDue = async () =>
  (
    await db.$queryRaw<
      object[]
    >`SELECT FROM webhook_delivery d JOIN webhook_endpoint ep ON ep.id = d.endpoint_id AND ep.state = 'on'
    WHERE d.state = 'pending' AND d.due_at <= now() + interval '20 milliseconds' AND d.lease IS NULL LIMIT 1`
  ).length > 0;

/** Returns an endpoint's deliveries, oldest first, with their attempts. */
export const deliveriesOf = (endpointId: string) =>
  db.webhookDelivery.findMany({
    where: { endpointId },
    orderBy: { id: "asc" },
    include: { attemptRows: { orderBy: { number: "asc" } } },
  });
