import { z } from "zod";
import { appEventTypes } from "@/lib/event-feed/event-type-names";
import { ById, ownerAction, yesNo } from "@/lib/form-action";
import { awaitAttempt, getDelivery, resend, sendTest } from "./deliveries";
import * as endpoints from "./endpoints";
import type { Attempt, DeliveryState } from "./schema";

/** The form fields of `EndpointFields`. The domain functions validate their values. */
const fields = { url: z.string(), description: z.string().default(""), types: z.array(z.enum(appEventTypes)) };

export const add = ownerAction({
  name: "webhook.add",
  input: z.object({ clientId: z.string(), ...fields }),
  fresh: true,
  run: async (owner, { clientId, ...endpoint }) => ({
    ...(await endpoints.addEndpoint(owner, clientId, endpoint)),
    clientId,
  }),
  secret: ({ id, clientId, secret }) => ({
    title: "Webhook added",
    shown: { "Signing secret": secret },
    onward: { href: `/developer/${clientId}/webhooks/${id}`, label: "Continue to the webhook" },
  }),
});

export const change = ownerAction({
  name: "webhook.change",
  input: ById.extend(fields),
  fresh: true,
  run: (owner, { id, ...endpoint }) => endpoints.changeEndpoint(owner, id, endpoint),
});

export const turn = ownerAction({
  name: "webhook.switch",
  input: ById.extend({ on: yesNo }),
  run: (owner, { id, on }) => endpoints.switchEndpoint(owner, id, on),
});

export const rotate = ownerAction({
  name: "webhook.rotate-secret",
  input: ById,
  fresh: true,
  run: (owner, { id }) => endpoints.rotateEndpointSecret(owner, id),
  secret: ({ secret }) => ({ title: "New signing secret", shown: { "Signing secret": secret } }),
});

export const remove = ownerAction({
  name: "webhook.remove",
  input: ById,
  run: async (owner, { id }) => {
    const { clientId } = await endpoints.getEndpoint(owner, id);
    await endpoints.removeEndpoint(owner, id);
    return { clientId };
  },
  next: (_, { clientId }) => `/developer/${clientId}`,
});

/** The result of a requested attempt. `latest` is absent if there is none yet. */
export type Tried = { state: DeliveryState; latest?: Attempt };
const asTried = ({ state, latest }: Tried): Tried => ({ state, ...(latest && { latest }) });

export const test = ownerAction({
  name: "webhook.test",
  input: ById,
  run: async (owner, { id }) => asTried(await awaitAttempt(owner, (await sendTest(owner, id)).id)),
  flash: (tried) => tried,
});

export const again = ownerAction({
  name: "webhook.resend",
  input: ById,
  run: async (owner, { id }) => {
    const { attempts } = await getDelivery(owner, id);
    await resend(owner, id);
    return asTried(await awaitAttempt(owner, id, attempts));
  },
  flash: (tried) => tried,
});
