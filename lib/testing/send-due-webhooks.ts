import { db } from "@/lib/database/db";
import { startDeliveryWorker } from "@/lib/webhooks/delivery-worker";
import { fanOut } from "@/lib/webhooks/fan-out";

/**
 * Turns all events into deliveries. Waits for events that another test's open transaction delays.
 */
export async function turnAll(): Promise<void> {
  for (;;) {
    const { more, unsettled, busy } = await fanOut();
    if (!more && !unsettled && !busy) return;
    await new Promise((resolve) => setTimeout(resolve, more ? 0 : 20));
  }
}

/** Turns all events into deliveries, and sends deliveries until none is due. */
export async function sendAll(): Promise<void> {
  await turnAll();
  const sending = startDeliveryWorker();
  do {
    sending.wake();
    await sending.idle();
  } while (await someDue());
  await sending.stop();
}

/**
 * Whether a delivery is due within 20 milliseconds. Tolerates rounded times and small differences
 * between clocks.
 */
const someDue = async () =>
  (
    await db.$queryRaw<
      object[]
    >`SELECT FROM webhook_delivery d JOIN webhook_endpoint ep ON ep.id = d.endpoint_id AND ep.state = 'on'
    WHERE d.state = 'pending' AND d.due_at <= now() + interval '20 milliseconds' AND d.lease IS NULL LIMIT 1`
  ).length > 0;

/** Returns the deliveries of an endpoint, oldest first, with their attempts. */
export const deliveriesOf = (endpointId: string) =>
  db.webhookDelivery.findMany({
    where: { endpointId },
    orderBy: { id: "asc" },
    include: { attemptRows: { orderBy: { number: "asc" } } },
  });
