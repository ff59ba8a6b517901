import type { SessionOwner } from "@/lib/actor";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { db } from "@/lib/database/db";
import type { Scope } from "@/lib/scopes";
import { configure } from "@/lib/testing/change-settings";
import { startDeliveryWorker } from "@/lib/webhooks/delivery-worker";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { fanOut } from "@/lib/webhooks/fan-out";
import type { NewEndpoint } from "@/lib/webhooks/schema";
import { anApp, anOwner, aTokenFor } from "./factories";

/** Sets the delays before attempts, in seconds, and the allowed local origins. */
export function sendingTo(origins: readonly string[], schedule = "0,0,0,0"): void {
  configure({ ALLOW_PRIVATE_FETCH: origins.join(" "), WEBHOOK_SCHEDULE: schedule });
}

const scopes: Scope[] = ["approvals:write", "approvals:read", "approvals:resolve"];

/**
 * Creates an app with a webhook and a token.
 * @param how `owner` is the owner who connects the app, by default its registrar
 */
export async function aHookedApp(
  url: string,
  { owner, ...how }: { owner?: SessionOwner & { session: string } } & Omit<NewEndpoint, "url"> = {},
) {
  const registrar = await anOwner();
  const { clientId, name } = await anApp(registrar);
  const actor = owner ?? registrar;
  const { app, token } = await aTokenFor(actor, clientId, scopes);
  const endpoint = await addEndpoint(registrar, clientId, { url, ...how });
  return {
    registrar,
    owner: actor,
    clientId,
    name,
    app,
    token,
    ...endpoint,
    ask: () => ask(app),
    answer: (id: string) => answer(actor, id),
  };
}

type App = Awaited<ReturnType<typeof aTokenFor>>["app"];
export const ask = async (app: App) =>
  (
    await submitApproval(
      { ...app, needs: "approvals:write" },
      { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] },
    )
  ).id;
export const answer = (owner: SessionOwner, id: string) =>
  resolveApproval(owner, id, { kind: "option", optionId: "yes" });

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
